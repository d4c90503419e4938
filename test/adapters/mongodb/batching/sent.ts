// Collects items that the code under test sends, and lets the test reply to them.

export interface Sent<A, B> {
  readonly item: A
  readonly resolve: (result: B) => void
  readonly reject: (cause: unknown) => void
}

/** Records an item, and resolves to the reply of the test. */
export const sentBy = <A, B>(sent: Sent<A, B>[], item: A): Promise<B> =>
  new Promise((resolve, reject) => {
    sent.push({ item, resolve, reject })
  })

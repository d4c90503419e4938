// What the code under test has sent; the test answers it.

export interface Sent<A, B> {
  readonly item: A
  readonly resolve: (result: B) => void
  readonly reject: (cause: unknown) => void
}

/** Takes note of an item, and promises what the test will answer. */
export const sentBy = <A, B>(sent: Sent<A, B>[], item: A): Promise<B> =>
  new Promise((resolve, reject) => {
    sent.push({ item, resolve, reject })
  })

/**
 * A message to the operator about background work: sent once per change, not once per attempt; never contains a secret.
 */
export interface Notice {
  /** `fatal`: the sender cannot work again in this process, and the process should end. */
  readonly level: 'info' | 'warn' | 'error' | 'fatal'
  readonly message: string
  readonly details: Readonly<Record<string, string>>
}

/** Receives notices; the composition root logs them. */
export type Notify = (notice: Notice) => void

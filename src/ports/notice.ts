/**
 * A message to the operator about background work: sent once per change, not once per attempt; never contains a secret.
 * @since 1.0.0 @category Ports
 */
export interface Notice {
  readonly level: 'info' | 'warn' | 'error'
  readonly message: string
  readonly details: Readonly<Record<string, string>>
}

/** Receives notices; the composition root logs them. @since 1.0.0 @category Ports */
export type Notify = (notice: Notice) => void

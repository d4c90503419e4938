/** What an operator should know about work in the background: told once per change, not once per try; never with a secret. */
export interface Notice {
  readonly level: 'info' | 'warn' | 'error'
  readonly message: string
  readonly details: Readonly<Record<string, string>>
}

/** Takes note of it; main hands it to the log. */
export type Notify = (notice: Notice) => void

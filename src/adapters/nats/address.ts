// Apart from what uses the driver: its declarations do not compile under every option that our users may have.

/** At most one of `login` and `credentialsFile`. */
export interface NatsAddress {
  /** `host:port` each. The driver learns the other servers of their cluster. */
  readonly servers: readonly string[]
  readonly isTls: boolean
  readonly login?: { readonly user: string; readonly pass: string } | { readonly token: string }
  readonly credentialsFile?: string
}

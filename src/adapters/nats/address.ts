// The broker's address and credentials, from one URL.
import * as E from 'fp-ts/lib/Either.js'

/** @since 1.0.0 @category Events */
export type Credentials =
  | { readonly _tag: 'None' }
  | { readonly _tag: 'User'; readonly user: string; readonly pass: string }
  | { readonly _tag: 'Token'; readonly token: string }
  | { readonly _tag: 'File'; readonly path: string }

/** @since 1.0.0 @category Events */
export interface NatsAddress {
  /** `host:port`, without credentials. */
  readonly server: string
  readonly isTls: boolean
  readonly credentials: Credentials
}

const credentialsOf = (url: URL): Credentials => {
  const path = url.searchParams.get('creds')
  if (path !== null) return { _tag: 'File', path }
  const user = decodeURIComponent(url.username)
  if (user === '') return { _tag: 'None' }
  return url.password === ''
    ? { _tag: 'Token', token: user }
    : { _tag: 'User', user, pass: decodeURIComponent(url.password) }
}

/**
 * Reads `nats://host:4222`, `nats://user:password@host`, `nats://token@host`, `nats://host?creds=/path/to/file.creds`,
 * or any of them with `tls://`, which refuses a server without TLS. The error describes the fault without the credentials.
 *
 * @since 1.0.0 @category Events
 * @example
 * natsAddress('nats://broker.example') // => E.right({ server: 'broker.example:4222', isTls: false, credentials: { _tag: 'None' } })
 */
export const natsAddress = (text: string): E.Either<string, NatsAddress> => {
  try {
    const url = new URL(text)
    if (!/^(?:nats|tls):$/.test(url.protocol)) return E.left('must begin with nats:// or tls://')
    if (url.hostname === '') return E.left('must name a host')
    const server = `${url.hostname}:${url.port || '4222'}`
    return E.right({ server, isTls: url.protocol === 'tls:', credentials: credentialsOf(url) })
  } catch {
    return E.left('must be a URL such as nats://localhost:4222')
  }
}

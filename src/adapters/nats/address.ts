// The address of a broker. Separate from code that uses the driver, which the configuration must not load.
import * as E from 'fp-ts/lib/Either.js'

/** The servers of a broker, with a login or a file of credentials or neither. */
export interface NatsAddress {
  /** `host:port` each. The driver discovers the other servers of the cluster. */
  readonly servers: readonly string[]
  readonly isTls: boolean
  readonly login?: { readonly user: string; readonly pass: string } | { readonly token: string }
  readonly credentialsFile?: string
}

export const NATS_FORM = 'nats://… or tls://…, with more servers after commas'

const credentialsOf = (url: URL): Pick<NatsAddress, 'login' | 'credentialsFile'> => {
  const credentialsFile = url.searchParams.get('creds')
  if (credentialsFile !== null) return { credentialsFile }
  const [user, pass] = [decodeURIComponent(url.username), decodeURIComponent(url.password)]
  if (user === '') return {}
  return { login: pass === '' ? { token: user } : { user, pass } }
}

const NATS = /^\w+:\/\/(?:(?:[^@/?#\s]+@)?[^@/?#\s]+\/?|[^@/?#\s]+\/?\?creds=[^@?#&\s]+)$/i

/** Parses one entry of the list; throws if it is invalid. */
const entryOf = (text: string) => {
  const url = new URL(text)
  const server = `${url.hostname.toLowerCase()}:${url.port || '4222'}`
  // the driver reads it as an http URL, which refuses more hosts
  if (!NATS.test(text) || !URL.canParse(`http://${server}`)) throw new Error('not a server')
  return { protocol: url.protocol, server, credentials: credentialsOf(url) }
}

/**
 * Reads `nats://host:4222`, `nats://user:password@host`, `nats://token@host`, `nats://host?creds=/path/to/file.creds`,
 * or any of them with `tls://`, which refuses a server without TLS. More servers of one cluster follow after commas,
 * with or without the scheme; all get the same credentials. The left says what was wanted, without the credentials.
 *
 * @example
 * const servers = ['n1.example:4222', 'n2.example:4223']
 * natsAddress('nats://s3cret@n1.example,n2.example:4223') // => E.right({ servers, isTls: false, login: { token: 's3cret' } })
 */
export const natsAddress = (text: string): E.Either<string, NatsAddress> => {
  const [scheme] = /^(?:nats|tls):\/\//i.exec(text) ?? []
  if (scheme === undefined) return E.left(NATS_FORM)
  try {
    const texts = text.split(',').map((entry) => entry.trim())
    const entries = texts.map((entry) => entryOf(entry.includes('://') ? entry : scheme + entry))
    if (new Set(entries.map(({ protocol }) => protocol)).size > 1) return E.left('one scheme for all servers')
    const given = entries.map(({ credentials }) => credentials).filter((one) => Object.keys(one).length > 0)
    const [credentials = {}] = given
    // a login after the first server could be the end of a password that contains a comma
    const isMisplaced = credentials.login !== undefined && credentials !== entries[0]?.credentials
    if (isMisplaced || new Set(given.map((one) => JSON.stringify(one))).size > 1) {
      return E.left('credentials at the first server, for all of them')
    }
    const servers = [...new Set(entries.map(({ server }) => server))]
    return E.right({ servers, isTls: entries[0]?.protocol === 'tls:', ...credentials })
  } catch {
    return E.left(NATS_FORM)
  }
}

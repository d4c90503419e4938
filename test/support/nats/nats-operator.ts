// The configuration of a NATS server with signed account tokens, and a user's credentials file.
import { randomUUID } from 'node:crypto'
import { nkeys } from '@nats-io/transport-node'

type KeyPair = ReturnType<typeof nkeys.createUser>

const base64 = (value: string | Uint8Array): string => Buffer.from(value).toString('base64url')

/** A NATS token: a JWT with Ed25519 keys in NATS encoding. */
const token = (issuer: KeyPair, subject: KeyPair, claims: object): string => {
  const sub = subject.getPublicKey()
  const body = {
    jti: randomUUID(),
    iat: 1,
    iss: issuer.getPublicKey(),
    sub,
    name: sub,
    nats: { ...claims, version: 2 },
  }
  const signed = `${base64('{"typ":"JWT","alg":"ed25519-nkey"}')}.${base64(JSON.stringify(body))}`
  return `${signed}.${base64(issuer.sign(Buffer.from(signed)))}`
}

const UNLIMITED = { subs: -1, data: -1, payload: -1, conn: -1, leaf: -1, imports: -1, exports: -1, wildcards: true }
const STORAGE = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 }

export const makeOperator = () => {
  const [operator, system, account, user] = [
    nkeys.createOperator(),
    nkeys.createAccount(),
    nkeys.createAccount(),
    nkeys.createUser(),
  ]
  const accountToken = token(operator, account, { type: 'account', limits: { ...UNLIMITED, ...STORAGE } })
  const systemToken = token(operator, system, { type: 'account', limits: UNLIMITED })
  const userToken = token(account, user, { type: 'user', subs: -1, data: -1, payload: -1, pub: {}, sub: {} })
  return {
    configuration: `
      operator: ${token(operator, operator, { type: 'operator' })}
      system_account: ${system.getPublicKey()}
      resolver: MEMORY
      resolver_preload: {
        ${system.getPublicKey()}: ${systemToken}
        ${account.getPublicKey()}: ${accountToken}
      }`,
    credentials: `-----BEGIN NATS USER JWT-----
${userToken}
------END NATS USER JWT------

-----BEGIN USER NKEY SEED-----
${Buffer.from(user.getSeed()).toString()}
------END USER NKEY SEED------
`,
  }
}

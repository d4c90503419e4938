import { randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { nkeys } from '@nats-io/transport-node'
import { expect, it } from 'vitest'
import { describeWith } from '../../support/containers/describe-with.js'
import { makeEventLedger } from '../../support/nats/event-ledger.js'
import { delivered, failed, makeEvent, openPublisher } from '../../support/nats/nats-publisher.js'
import { startBroker } from '../../support/nats/test-broker.js'
import { makeCertificate } from '../../support/network/certificate.js'
import { issueKey, runCommand, startServiceProcess } from '../../support/processes/service-process.js'
import { eventually } from '../../support/runner/eventually.js'
import { temporaryFolder } from '../../support/runner/temporary-folder.js'

type KeyPair = ReturnType<typeof nkeys.createUser>

const base64 = (value: string | Uint8Array): string => Buffer.from(value).toString('base64url')

/** A NATS token: a JWT with Ed25519 keys in NATS encoding. */
const token = (issuer: KeyPair, subject: KeyPair, claims: object): string => {
  const sub = subject.getPublicKey()
  const nats = { ...claims, version: 2 }
  const body = { jti: randomUUID(), iat: 1, iss: issuer.getPublicKey(), sub, name: sub, nats }
  const signed = `${base64('{"typ":"JWT","alg":"ed25519-nkey"}')}.${base64(JSON.stringify(body))}`
  return `${signed}.${base64(issuer.sign(Buffer.from(signed)))}`
}

const UNLIMITED = { subs: -1, data: -1, payload: -1, conn: -1, leaf: -1, imports: -1, exports: -1, wildcards: true }
const STORAGE = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 }

const makeOperator = () => {
  const [operator, system, account] = [nkeys.createOperator(), nkeys.createAccount(), nkeys.createAccount()]
  const user = nkeys.createUser()
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

const securedBroker = async () => {
  const { certificate, key } = await makeCertificate(await temporaryFolder())
  const { url } = await startBroker('tls { cert_file: /certificate.pem, key_file: /key.pem }', undefined, {
    '/certificate.pem': await readFile(certificate, 'utf8'),
    '/key.pem': await readFile(key, 'utf8'),
  })
  return { url, certificate }
}

describeWith('nats-container', 'makeNatsPublisher with a broker that requires authentication', () => {
  it.each([
    ['a user', 'authorization { user: relay, password: "s3cret:/@" }', 'relay:s3cret%3A%2F%40@', 'relay:wr0ng@'],
    ['a token', 'authorization { token: s3cret }', 's3cret@', 'wr0ng@'],
  ])('authenticates as %s, and shows no secret if it is refused', async (_, configuration, right, wrong) => {
    const { url } = await startBroker(configuration)
    const withCredentials = (credentials: string) => openPublisher(url.replace('//', `//${credentials}`))
    const refused = withCredentials(wrong)
    await refused.told('cannot reach the event broker')
    expect(await refused.publish(makeEvent(1))).toStrictEqual([failed])
    expect(JSON.stringify(refused.notices)).not.toContain('wr0ng')
    const accepted = withCredentials(right)
    await accepted.connected()
    expect(await accepted.publish(makeEvent(1))).toStrictEqual([delivered])
    expect(JSON.stringify(accepted.notices)).not.toContain('s3cret')
  })

  it('reads a credentials file at each connection: one that is created later, and one that was renewed', async () => {
    const [former, renewed] = [makeOperator(), makeOperator()]
    const broker = await startBroker(former.configuration)
    const path = join(await temporaryFolder(), 'user.creds')
    const { connected, publish, notices } = openPublisher(`${broker.url}?creds=${encodeURIComponent(path)}`)
    const refused = (times: number) =>
      eventually(() => expect(notices.filter(({ message }) => message.startsWith('cannot reach'))).toHaveLength(times))
    await refused(1)
    await writeFile(path, former.credentials)
    await connected()
    expect(await publish(makeEvent(1))).toStrictEqual([delivered])
    await broker.remove()
    await startBroker(renewed.configuration, Number(new URL(broker.url).port))
    await refused(2)
    const reason = expect.stringMatching(/authorization/i) as unknown
    const details = { servers: new URL(broker.url).host, reason }
    expect(notices).toContainEqual(expect.objectContaining({ details }))
    await writeFile(path, renewed.credentials)
    await eventually(async () => expect(await publish(makeEvent(1))).toStrictEqual([delivered]))
  })

  it('is nobody while its credentials cannot be read, also where a broker takes whoever has none for a user', async () => {
    const user = 'accounts { A { jetstream: enabled, users: [{ user: a, password: b }] } }, no_auth_user: a'
    const { url } = await startBroker(user)
    const { told, publish } = openPublisher(`${url}?creds=/no/file`)
    await told('cannot reach the event broker')
    await openPublisher(url).connected()
    expect(await publish(makeEvent(1))).toStrictEqual([failed])
  })

  it('refuses a server without TLS or with an untrusted certificate for tls://', async () => {
    const plain = await startBroker('')
    const secured = await securedBroker()
    for (const { url } of [plain, secured]) {
      const publisher = openPublisher(url.replace('nats:', 'tls:'))
      await publisher.told('cannot reach the event broker')
      expect(await publisher.publish(makeEvent(1))).toStrictEqual([failed])
    }
  })

  it('lets the service publish over TLS with the certificate authority from its environment', async () => {
    const { url, certificate } = await securedBroker()
    const settings = {
      DATA_DIR: await temporaryFolder(),
      // the certificate is valid for the second address only
      EVENTS_URL: `tls://127.0.0.2:${new URL(url).port},${new URL(url).host}`,
      NODE_EXTRA_CA_CERTS: certificate,
    }
    const key = await issueKey(settings)
    const service = await startServiceProcess(settings)
    expect(await makeEventLedger().create(service.url, key, 'Rex')).toBe(true)
    await eventually(
      async () =>
        expect(await runCommand(settings, 'events', 'backlog', '--json')).toBe(
          '{"backlog":0,"oldestSeconds":null,"parked":0}\n',
        ),
      { interval: 250 },
    )
  }, 60_000)
})

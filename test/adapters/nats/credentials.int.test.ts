import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { describeWith } from '../../support/containers/describe-with.js'
import { makeEventLedger } from '../../support/nats/event-ledger.js'
import { makeOperator } from '../../support/nats/nats-operator.js'
import { delivered, failed, makeEvent, openPublisher } from '../../support/nats/nats-publisher.js'
import { startBroker } from '../../support/nats/test-broker.js'
import { makeCertificate } from '../../support/network/certificate.js'
import { issueKey, runCommand, startServiceProcess } from '../../support/processes/service-process.js'
import { eventually } from '../../support/runner/eventually.js'
import { temporaryFolder } from '../../support/runner/temporary-folder.js'

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

  it('tells once that its user may not receive replies', async () => {
    const user = 'user: relay, password: pass, permissions: { subscribe: { deny: "_INBOX.>" } }'
    const { url } = await startBroker(`authorization { users: [{ ${user} }] }`)
    const { publish, told, notices } = openPublisher(url.replace('//', '//relay:pass@'))
    await told('the event stream cannot be found or created')
    for (const number of [1, 2, 3]) expect(await publish(makeEvent(number))).toMatchObject([{ _tag: 'Failed' }])
    expect(notices.filter(({ level }) => level === 'error')).toMatchObject([
      { details: { reason: expect.stringMatching(/Permissions Violation for Subscription to "_INBOX"/) } },
    ])
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

// A service with a webhook as separate processes: TLS, secrets in files, and a log without secrets.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeEventLedger } from '../../support/nats/event-ledger.js'
import { makeEvent } from '../../support/nats/nats-publisher.js'
import { makeCertificate } from '../../support/network/certificate.js'
import type { Environment } from '../../support/processes/cli-process.js'
import { runCommand } from '../../support/processes/run-command.js'
import { startServiceProcess } from '../../support/processes/service-process.js'
import { eventually } from '../../support/runner/eventually.js'
import { temporaryFolder } from '../../support/runner/temporary-folder.js'
import { newSecret, openWebhook, startReceiver } from '../../support/webhook/receiver.js'

const tlsReceiver = async () => {
  const folder = await temporaryFolder()
  const { certificate, key } = await makeCertificate(folder)
  const tls = { cert: await readFile(certificate), key: await readFile(key) }
  return { ...(await startReceiver({ tls })), certificate, folder }
}

it('a webhook over TLS is an outage while its certificate is not trusted', async () => {
  const { url, secret, requests } = await tlsReceiver()
  const reason: unknown = expect.stringMatching(/^DEPTH_ZERO_SELF_SIGNED_CERT: /)
  expect(await openWebhook(url, [secret]).publish(makeEvent(1))).toStrictEqual([{ _tag: 'Failed', reason }])
  expect(requests).toStrictEqual([])
})

describe('a service with a webhook', () => {
  it('sends events over TLS with secrets from a file, and shows neither them nor the path of the webhook [webhook]', async () => {
    const { url, secret, accepted, certificate, folder } = await tlsReceiver()
    const secretFile = join(folder, 'secrets')
    await writeFile(secretFile, `${newSecret()},${secret}\n`)
    const settings: Environment = {
      DATA_DIR: await temporaryFolder(),
      EVENTS_URL: url,
      EVENTS_SECRET_FILE: secretFile,
      LOG_LEVEL: 'debug',
      NODE_EXTRA_CA_CERTS: certificate,
    }
    const key = (await runCommand(settings, 'keys', 'create')).stdout.trim()
    const service = await startServiceProcess(settings)
    const ledger = makeEventLedger()
    for (const name of ['Rex', 'Momo', 'Tim']) expect(await ledger.create(service.url, key, name)).toBe(true)
    await eventually(() => expect(accepted).toHaveLength(3))
    for (const body of accepted) ledger.see(body)
    ledger.check()
    const { stdout: checked } = await runCommand(settings, 'check')
    expect(checked.split('\n')).toEqual(expect.arrayContaining(['EVENTS_URL=(hidden)', 'EVENTS_SECRET=(hidden)']))
    expect(await service.end('SIGTERM')).toBe(0)
    const printed = service.stdout() + service.stderr() + checked
    expect(printed).toContain('"EVENTS_URL":"(hidden)"')
    for (const hidden of ['whsec_', secret.slice(6), '/hook', 'of=pets']) expect(printed).not.toContain(hidden)
  })

  it('parks an event that the webhook refuses, sends the others, stops soon while it hangs, and sends both on demand', async () => {
    const { url, secret, accepted, responses, requests } = await startReceiver()
    const settings = {
      DATA_DIR: await temporaryFolder(),
      EVENTS_URL: url,
      EVENTS_SECRET: secret,
      DRAIN_SECONDS: '0',
      SHUTDOWN_SECONDS: '2',
    }
    const key = (await runCommand(settings, 'keys', 'create')).stdout.trim()
    const service = await startServiceProcess(settings)
    const ledger = makeEventLedger()
    responses(({ body }) => (body.includes('refused') ? 422 : body.includes('hangs') ? undefined : 200))
    for (const name of ['one', 'refused', 'two']) expect(await ledger.create(service.url, key, name)).toBe(true)
    await eventually(() => expect(accepted).toHaveLength(2))
    const parked: unknown = JSON.parse((await runCommand(settings, 'events', 'parked', 'list', '--json')).stdout)
    expect(parked).toMatchObject([{ reason: 'the webhook responded with 422' }])
    expect(await ledger.create(service.url, key, 'hangs')).toBe(true)
    await eventually(() => expect(requests.at(-1)?.body).toContain('hangs'))
    expect(await service.end('SIGTERM')).toBe(0)
    expect(service.stdout()).toContain('no response until the service stopped')
    const backlog: unknown = JSON.parse((await runCommand(settings, 'events', 'backlog', '--json')).stdout)
    expect(backlog).toMatchObject({ backlog: 1, parked: 1 })
    responses(() => 200)
    await startServiceProcess(settings)
    await eventually(() => expect(accepted).toHaveLength(3))
    expect(await runCommand(settings, 'events', 'parked', 'retry')).toMatchObject({ code: 0 })
    await eventually(() => expect(accepted).toHaveLength(4))
    expect(accepted.at(-1)).toContain('refused')
  })
})

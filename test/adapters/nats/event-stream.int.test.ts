import { randomUUID } from 'node:crypto'
import * as E from 'fp-ts/lib/Either.js'
import { expect, it } from 'vitest'
import { type Unavailable, unavailable } from '../../../src/domain/errors.js'
import { describeWith } from '../../support/containers/describe-with.js'
import { makeEventLedger } from '../../support/nats/event-ledger.js'
import { deleteStreams, managed, storedMessages } from '../../support/nats/nats-broker.js'
import { delivered, failed, makeEvent, openPublisher } from '../../support/nats/nats-publisher.js'
import { issueKey, runCommand, startServiceProcess } from '../../support/processes/service-process.js'
import { eventually } from '../../support/runner/eventually.js'
import { temporaryFolder } from '../../support/runner/temporary-folder.js'

const LOST = 'the event stream was gone and has been created again: replay its events'

describeWith('nats', 'the event stream', (url) => {
  it('creates a stream on disk that refuses events when it is full, instead of dropping old ones', async () => {
    const { subject, told } = openPublisher(url)
    await told('the event stream has been created')
    const config = await managed(url, async ({ streams }) => {
      const [name = ''] = await streams.names(subject).next()
      return (await streams.info(name)).config
    })
    expect(config).toMatchObject({
      ...{ storage: 'file', retention: 'limits', discard: 'new', num_replicas: 1 },
      // also for future types of pet events
      subjects: [subject.replace('created.v1', '>')],
      // in nanoseconds: a week, and two minutes
      ...{ max_age: 604_800_000_000_000, duplicate_window: 120_000_000_000 },
    })
  })

  it('uses a stream with any other name that accepts the subject', async () => {
    const typePrefix = `test.${randomUUID()}`
    await managed(url, ({ streams }) => streams.add({ name: randomUUID(), subjects: [`${typePrefix}.>`] }))
    const { publish, subject, notices, connected } = openPublisher(url, { typePrefix })
    await connected()
    expect(await publish(makeEvent(1))).toStrictEqual([delivered])
    expect(await storedMessages(url, subject)).toHaveLength(1)
    expect(notices.filter(({ level }) => level === 'error')).toStrictEqual([])
  })

  it('separates the events of deployments with different prefixes on one broker [type-prefix]', async () => {
    const id = randomUUID()
    // stream names cannot contain dots
    const deployments = [`test.${id}.a`, `test.${id}_a`].map((typePrefix) => openPublisher(url, { typePrefix }))
    for (const [at, { publish, told, notices }] of deployments.entries()) {
      await told('the event stream has been created')
      expect(await publish(makeEvent(at))).toStrictEqual([delivered])
      expect(notices.filter(({ level }) => level === 'error')).toStrictEqual([])
    }
    for (const [at, { subject }] of deployments.entries()) {
      expect(await storedMessages(url, subject)).toMatchObject([
        { subject, text: expect.stringContaining(`"id":${at},`) },
      ])
    }
  })

  it('recreates a deleted stream, and reports it', async () => {
    const { publish, subject, told, connected, notices, settings } = openPublisher(url)
    await connected()
    expect(await publish(makeEvent(1))).toStrictEqual([delivered])
    await deleteStreams(url, subject)
    const lost = makeEvent(2)
    const stream = settings.typePrefix.replaceAll('.', '_')
    const reason = `no stream accepts the subject ${subject}, neither ${stream} nor another one`
    expect(await publish(lost)).toStrictEqual([{ _tag: 'Failed', reason }])
    await told(LOST)
    expect(await publish(lost)).toStrictEqual([delivered])
    expect(notices.filter(({ level }) => level === 'error')).toMatchObject([{ message: LOST, details: { stream } }])
  })

  it('creates no stream until the store knows whether there was one', async () => {
    let response: E.Either<Unavailable, boolean> = E.left(unavailable(new Error('away')))
    const { told, publish, notices } = openPublisher(url, { hasSent: async () => response })
    await told('the event stream cannot be found or created')
    expect(await publish(makeEvent(1))).toStrictEqual([failed])
    response = E.right(true)
    expect(await publish(makeEvent(1))).toStrictEqual([failed])
    await told(LOST)
    expect(await publish(makeEvent(1))).toStrictEqual([delivered])
    expect(notices.filter(({ message }) => message.includes('cannot be found'))).toHaveLength(1)
  })

  it('causes an error in the log of the next start if it was deleted meanwhile', async () => {
    const typePrefix = `test.${randomUUID()}`
    const settings = { DATA_DIR: await temporaryFolder(), EVENTS_URL: url, EVENTS_TYPE_PREFIX: typePrefix }
    const subject = `${typePrefix}.pet.created.v1`
    const key = await issueKey(settings)
    const first = await startServiceProcess(settings)
    expect(await makeEventLedger().create(first.url, key, 'Rex')).toBe(true)
    await eventually(async () => expect(await runCommand(settings, 'events', 'backlog')).toMatch(/^0 waiting/))
    await first.end('SIGTERM')
    await deleteStreams(url, subject)
    const second = await startServiceProcess(settings)
    await second.find(new RegExp(`"level":"error"[^\\n]*${LOST}`))
  })
})

import { randomUUID } from 'node:crypto'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { expect, it } from 'vitest'
import { type Unavailable, unavailable } from '../../../src/domain/errors.js'
import { describeWith } from '../../support/containers/describe-with.js'
import { deleteStreams, managed, storedMessages } from '../../support/nats/nats-broker.js'
import { delivered, failed, makeEvent, openPublisher } from '../../support/nats/nats-publisher.js'
import { openConnection } from '../../support/nats/test-broker.js'
import { eventually } from '../../support/runner/eventually.js'

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
      ...{ storage: 'file', retention: 'limits', discard: 'new' },
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
    // names of streams contain no dots
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

  it.each([
    ['nobody else subscribes to the subject', false],
    ['another client subscribes to the subject', true],
  ])('recreates a deleted stream and reports it if %s', async (_, isHeard) => {
    const { publish, subject, told, connected, notices, settings } = openPublisher(url)
    await connected()
    const listener = await openConnection(url)
    if (isHeard) listener.subscribe(subject)
    await listener.flush()
    expect(await publish(makeEvent(1))).toStrictEqual([delivered])
    await deleteStreams(url, subject)
    const lost = makeEvent(2)
    const stream = settings.typePrefix.replaceAll('.', '_')
    const reason = `no stream accepts the subject ${subject}, neither ${stream} nor another one`
    // a subscriber that never replies is a broker that does not acknowledge
    expect(await publish(lost)).toStrictEqual([isHeard ? failed : { _tag: 'Failed', reason }])
    await told(LOST)
    expect(await publish(lost)).toStrictEqual([delivered])
    expect(notices.filter(({ level }) => level === 'error')).toMatchObject([{ message: LOST, details: { stream } }])
  })

  it('reports a missing stream at its start if events were sent before', async () => {
    const { told, notices } = openPublisher(url, { hasSent: TE.right(true) })
    await told(LOST)
    expect(notices).toContainEqual(expect.objectContaining({ level: 'error', message: LOST }))
  })

  it('reports that it cannot create a stream, the second time too', async () => {
    const typePrefix = `test.${randomUUID()}`
    const name = typePrefix.replace('.', '_')
    const block = () => managed(url, ({ streams }) => streams.add({ name, subjects: [`other.${name}`] }))
    const unblock = () => managed(url, ({ streams }) => streams.delete(name))
    await block()
    const { publish, notices } = openPublisher(url, { typePrefix })
    const failures = () => notices.filter(({ message }) => message === 'the event stream cannot be found or created')
    await eventually(() => expect(failures()).toHaveLength(1))
    await unblock()
    await eventually(async () => expect(await publish(makeEvent(1))).toStrictEqual([delivered]))
    await unblock()
    await block()
    await eventually(async () => {
      expect(await publish(makeEvent(2))).toStrictEqual([failed])
      expect(failures()).toHaveLength(2)
    })
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
})

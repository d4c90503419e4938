import { randomUUID } from 'node:crypto'
import { connect } from '@nats-io/transport-node'
import { expect, it } from 'vitest'
import { closeAfterEach } from '../../support/closing.js'
import { describeWith } from '../../support/describe-with.js'
import { deleteStreams, managed, storedMessages } from '../../support/nats-broker.js'
import { makeEvent, openPublisher } from '../../support/nats-publisher.js'

const delivered = { _tag: 'Delivered' }
const failed: unknown = expect.objectContaining({ _tag: 'Failed' })
const closing = closeAfterEach()
const open = (url: string, typePrefix?: string) =>
  closing(openPublisher(url, typePrefix), ({ publisher }) => publisher.close())

describeWith('nats', 'the event stream', (url) => {
  it('makes a stream on disk that refuses events when full, rather than drop old ones', async () => {
    const { subject, told } = open(url)
    await told('the event stream is made')
    const config = await managed(url, async ({ streams }) => {
      const [name = ''] = await streams.names(subject).next()
      return (await streams.info(name)).config
    })
    expect(config).toMatchObject({ storage: 'file', retention: 'limits', discard: 'new', max_age: 604_800_000_000_000 })
  })

  it('uses a stream of any other name that takes the subject', async () => {
    const typePrefix = `test.${randomUUID()}`
    await managed(url, ({ streams }) => streams.add({ name: randomUUID(), subjects: [`${typePrefix}.>`] }))
    const { publish, subject, notices, connected } = open(url, typePrefix)
    await connected()
    expect(await publish(makeEvent(1))).toStrictEqual([delivered])
    expect(await storedMessages(url, subject)).toHaveLength(1)
    expect(notices.filter(({ level }) => level === 'error')).toStrictEqual([])
  })

  it.each([
    ['nobody listens', false],
    ['somebody else listens to the subject', true],
  ])('makes a deleted stream again, and says so, where %s', async (_, isHeard) => {
    const { publish, subject, told, connected } = open(url)
    await connected()
    const listener = closing(await connect({ servers: url }), (one) => one.close())
    if (isHeard) listener.subscribe(subject)
    await listener.flush()
    expect(await publish(makeEvent(1))).toStrictEqual([delivered])
    await deleteStreams(url, subject)
    const lost = makeEvent(2)
    expect(await publish(lost)).toStrictEqual([failed])
    await told('the event stream was gone and is made anew: replay what it held')
    expect(await publish(lost)).toStrictEqual([delivered])
  })
})

// Files every new pet once under its event's id, even if the event comes repeatedly: the file is effect and memory.
// node consumer.js [FOLDER]. EVENTS_URL and EVENTS_TYPE_PREFIX are as for the service; credentials are not read.
import { link, mkdir, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { AckPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { cloudEventFromJson, petJson } from 'animal-store'

const SUBJECT = `${process.env.EVENTS_TYPE_PREFIX || 'org.animal-store'}.pet.created.v1`
const NAME = 'filing'
const RETRY_DELAY_MS = 1_000
const servers = (process.env.EVENTS_URL ?? 'nats://127.0.0.1:4222').split(',')
const folder = process.argv[2] ?? './data'

const say = (line) => process.stdout.write(`${line}\n`)

/** What was written survives a failure of the machine. */
const sync = async (handle) => {
  await handle.sync()
  await handle.close()
}

/** Whether the event is new. Syncs before it names the file, and names it only once, so that no file changes later. */
const file = async (eventId, petText) => {
  const name = join(folder, `${eventId}.json`)
  const draft = `${name}.${process.pid}`
  const handle = await open(draft, 'w')
  await handle.writeFile(petText)
  await sync(handle)
  try {
    await link(draft, name)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  } finally {
    await unlink(draft)
    // also syncs the name, even of a duplicate: after the acknowledgement the event does not come again
    await sync(await open(folder))
  }
}

const faultsText = (faults) => faults.map(({ pointer, reason }) => `${pointer} ${reason}`).join('; ')

const handle = async (message) => {
  const received = cloudEventFromJson(message.string())
  if (received._tag === 'Left') return message.term(faultsText(received.left))
  const { eventId, pet } = received.right.event
  // the id becomes a file name, and foreign text must not choose the folder
  if (!/^[\w-]+$/.test(eventId)) return message.term('the id is not one of ours')
  const isNew = await file(eventId, petJson(pet))
  say(`${isNew ? 'new' : 'double'} ${eventId} ${petJson(pet)}`)
  message.ack()
}

await mkdir(folder, { recursive: true })
const connection = await connect({ servers, maxReconnectAttempts: -1, waitOnFirstConnect: true })
const manager = await jetstreamManager(connection)

/** The service creates the stream when it first connects. */
const streamName = async () => {
  for (;;) {
    const [name] = await manager.streams.names(SUBJECT).next()
    if (name !== undefined) return name
    await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS))
  }
}

const stream = await streamName()
await manager.consumers.add(stream, { durable_name: NAME, ack_policy: AckPolicy.Explicit, filter_subject: SUBJECT })
const messages = await (await jetstream(connection).consumers.get(stream, NAME)).consume()
const stop = () => messages.stop()
process.once('SIGTERM', stop)
process.once('SIGINT', stop)
say(`reading ${stream} as ${NAME}`)
for await (const message of messages) {
  try {
    await handle(message)
  } catch (error) {
    say(`to be tried again: ${error}`)
    message.nak(RETRY_DELAY_MS)
  }
}
await connection.close()

import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import type { GenericContainer } from 'testcontainers'
import { range } from '../../../src/testing/samples.js'
import { natsContainer } from '../containers/containers.js'
import { launchSteered } from '../containers/steered-container.js'
import { freePort } from '../network/free-port.js'

/** A server with JetStream; `files` maps paths to texts. The caller must remove it. */
export const launchBroker = async (
  configuration = '',
  port?: number,
  files: Readonly<Record<string, string>> = {},
  base: GenericContainer = natsContainer(),
) => {
  const host = port ?? (await freePort())
  const container = base
    .withCommand(['-js', '-c', '/nats.conf'])
    .withCopyContentToContainer(
      Object.entries({ ...files, '/nats.conf': configuration }).map(([target, content]) => ({ target, content })),
    )
  // without credentials
  return { url: `nats://127.0.0.1:${host}`, ...(await launchSteered(container, { container: 4222, host })) }
}

export type Broker = Awaited<ReturnType<typeof launchBroker>>

export const managed = async <A>(
  url: string,
  use: (manager: Awaited<ReturnType<typeof jetstreamManager>>) => Promise<A>,
) => {
  const connection = await connect({ servers: url })
  try {
    return await use(await jetstreamManager(connection))
  } finally {
    await connection.close()
  }
}

export const deleteStreams = (url: string, subject: string): Promise<void> =>
  managed(url, async ({ streams }) => {
    for (const name of await streams.names(subject).next()) await streams.delete(name)
  })

/** None if there is no such stream. */
export const storedMessages = (url: string, subject: string) =>
  managed(url, async ({ streams }) => {
    const [stream] = await streams.names(subject).next()
    if (stream === undefined) return []
    const { state } = await streams.info(stream)
    const seqs = range(Math.max(1, state.first_seq), state.last_seq)
    const messages: { readonly subject: string; readonly header: (name: string) => string; readonly text: string }[] =
      []
    for (const seq of seqs) {
      const message = await streams.getMessage(stream, { seq })
      if (message !== null)
        messages.push({ subject: message.subject, header: (name) => message.header.get(name), text: message.string() })
    }
    return messages
  })

// A separate server in a container, which keeps its port across restarts.
import { type GenericContainer, getContainerRuntimeClient } from 'testcontainers'
import { eventually } from '../runner/eventually.js'

/** Starts a container whose port is mapped to the same host port after each start. */
export const launchSteered = async (
  container: GenericContainer,
  ports: { readonly container: number; readonly host: number },
) => {
  const started = await container.withExposedPorts(ports).start()
  const client = await getContainerRuntimeClient()
  const control = client.container.getById(started.getId())
  return {
    /** kill -9. */
    kill: () => control.kill(),
    start: () => control.start(),
    // on a busy machine the engine may be unable to freeze it at first
    pause: () => eventually(() => control.pause(), { interval: 500 }),
    resume: () => control.unpause(),
    remove: () => started.stop(),
  }
}

export type SteeredContainer = Awaited<ReturnType<typeof launchSteered>>

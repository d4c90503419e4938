// A separate server in a container that keeps its port across restarts.
import { type GenericContainer, getContainerRuntimeClient } from 'testcontainers'
import { eventually } from '../runner/eventually.js'

export const launchSteered = async (
  container: GenericContainer,
  ports: { readonly container: number; readonly host: number },
) => {
  const started = await container.withExposedPorts(ports).start()
  const client = await getContainerRuntimeClient()
  const control = client.container.getById(started.getId())
  return {
    /** Sends SIGKILL. */
    kill: () => control.kill(),
    start: () => control.start(),
    // on a busy machine the engine may fail to pause the container at first
    pause: () => eventually(() => control.pause(), { interval: 500 }),
    resume: () => control.unpause(),
    remove: () => started.stop(),
  }
}

export type SteeredContainer = Awaited<ReturnType<typeof launchSteered>>

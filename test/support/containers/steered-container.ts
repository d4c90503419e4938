// A separate server in a container, which keeps its port across restarts.
import { type GenericContainer, getContainerRuntimeClient } from 'testcontainers'

export interface SteeredContainer {
  /** kill -9. */
  readonly kill: () => Promise<unknown>
  readonly start: () => Promise<unknown>
  readonly pause: () => Promise<unknown>
  readonly resume: () => Promise<unknown>
  readonly remove: () => Promise<unknown>
}

/** Starts a container whose port is mapped to the same host port after each start. */
export const launchSteered = async (
  container: GenericContainer,
  ports: { readonly container: number; readonly host: number },
): Promise<SteeredContainer> => {
  const started = await container.withExposedPorts(ports).start()
  const client = await getContainerRuntimeClient()
  const control = client.container.getById(started.getId())
  return {
    kill: () => control.kill(),
    start: () => control.start(),
    pause: () => control.pause(),
    resume: () => control.unpause(),
    remove: () => started.stop(),
  }
}

// A server of a test's own in a container, on one port through all its troubles.
import { type GenericContainer, getContainerRuntimeClient } from 'testcontainers'

export interface SteeredContainer {
  /** kill -9. */
  readonly kill: () => Promise<unknown>
  readonly start: () => Promise<unknown>
  readonly pause: () => Promise<unknown>
  readonly resume: () => Promise<unknown>
  readonly remove: () => Promise<unknown>
}

/** Starts a container whose port is that port of the host, after each start again. */
export const startSteered = async (
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

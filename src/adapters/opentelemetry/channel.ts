// Passes tracing from a preloaded module to each service that starts.
import { channel, subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Tracing } from './tracing.js'

interface Start {
  tracing: Tracing | undefined
}

const NAME = 'animal-store.start'
const starts = channel(NAME)

/** Traces every service that starts from now on, until the returned function is called. */
export const traceServices = (tracing: Tracing): (() => void) => {
  const add = (start: unknown): void => {
    ;(start as Start).tracing = tracing
  }
  subscribe(NAME, add)
  return () => {
    unsubscribe(NAME, add)
  }
}

/** Undefined unless tracing was loaded. */
export const findTracing = (): Tracing | undefined => {
  const start: Start = { tracing: undefined }
  if (starts.hasSubscribers) starts.publish(start)
  return start.tracing
}

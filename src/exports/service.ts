// The entry point `animal-store/service`: the whole service as one function, over any ports. It needs everything but the drivers.

export type { LineStream } from '../adapters/pino/buffered-stdout.js'
export type { Log } from '../adapters/pino/log.js'
export { jsonLog } from '../composition/log.js'
export { DEFAULT_SERVICE, type ServiceSettings } from '../composition/make-service.js'
export { type ServiceLog, silentLog } from '../composition/service-log.js'
export type { ClosablePublisher } from '../composition/start-relaying.js'
export { type RunningService, type StartPorts, startService } from '../start-service.js'

// The entry point `animal-store/service`: the whole service as one function, over any ports. It needs everything but the drivers.
export { jsonLog, type Log } from '../composition/log.js'
export type { LineStream } from '../composition/logging/buffered-stdout.js'
export { type RunningService, type StartPorts, startService } from '../composition/run-service.js'
export { type ServiceLog, silentLog } from '../composition/service-log.js'
export { DEFAULT_SERVICE, type ServiceSettings } from '../composition/service-settings.js'
export type { ClosablePublisher } from '../composition/start-relaying.js'

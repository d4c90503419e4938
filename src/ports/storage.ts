/**
 * Says which storage is behind a port: ports over the same storage have the same symbol. A service refuses to start on ports of
 * different storages, because events of pets that its log does not see would never be sent.
 */
export interface OfStorage {
  readonly storage: symbol
}

/**
 * Says which storage is behind a port: ports over the same storage have the same symbol. Services and relays refuse to start on ports of
 * different storages, because events of pets that their log does not see would be lost.
 */
export interface OfStorage {
  readonly storage: symbol
}

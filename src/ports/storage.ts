/**
 * Ports over the same storage have the same symbol. Services and relays refuse ports of different storages, because
 * events of pets that their log does not see would be lost.
 */
export interface OfStorage {
  readonly storage: symbol
}

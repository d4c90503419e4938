// A MongoDB store behind a proxy that holds the replies to one command, and counts these commands.
import type { Deadlines } from '../../../src/adapters/mongodb/connection/connection.js'
import type { Notify } from '../../../src/ports/notice.js'
import type { Store } from '../../../src/ports/store.js'
import { openProxy } from '../network/tcp-proxy.js'
import { holdingReplies } from './lost-replies.js'
import { openStoreOf } from './mongo-store.js'

export interface HeldStore {
  readonly store: Store
  /** Number of these commands that the database has executed. */
  readonly commands: () => number
  /** Maximum number of replies held at once. */
  readonly mostAtOnce: () => number
}

/** A reply passes once the promise from `hold` resolves. */
export const openHeldStore = async (
  uri: string,
  command: string,
  hold: () => Promise<unknown>,
  deadlines: Partial<Deadlines> = {},
  notify: Notify = () => {},
): Promise<HeldStore> => {
  let commands = 0
  let held = 0
  let most = 0
  const tap = holdingReplies(command, async () => {
    commands += 1
    held += 1
    most = Math.max(most, held)
    await hold()
    held -= 1
  })
  const url = new URL(uri)
  const proxy = await openProxy(Number(url.port), tap)
  url.host = `127.0.0.1:${proxy.port}`
  return {
    store: openStoreOf(url.href, { notify }, undefined, deadlines),
    commands: () => commands,
    mostAtOnce: () => most,
  }
}

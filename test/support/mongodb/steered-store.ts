// A MongoDB store behind a proxy that sees every command, and steers the replies.
import type { Document } from 'mongodb'
import { succeed } from '../../../src/testing/samples.js'
import { openProxy } from '../network/tcp-proxy.js'
import { steering, type Verdict } from './lost-replies.js'
import { openStoreOf, type ReportingStore } from './mongo-store.js'

export interface SteeredStore {
  readonly store: ReportingStore
  /** The commands so far, in order. */
  readonly commands: Document[]
}

export const openSteeredStore = async (
  uri: string,
  decide: (command: string) => Verdict = () => 'pass',
  patienceMs?: number,
): Promise<SteeredStore> => {
  const commands: Document[] = []
  const url = new URL(uri)
  const proxy = await openProxy(
    Number(url.port),
    steering(decide, (command) => commands.push(command)),
  )
  url.host = `127.0.0.1:${proxy.port}`
  const store = openStoreOf(url.href, {}, patienceMs)
  await succeed(store.ping)
  return { store, commands }
}

// MongoDB stores behind a proxy that shows commands or holds replies.
import type { Document } from 'mongodb'
import type { Deadlines } from '../../../src/adapters/mongodb/connection/connection.js'
import type { Notify } from '../../../src/ports/notice.js'
import { succeed } from '../../../src/testing/samples.js'
import { openProxy, type Tap } from '../network/tcp-proxy.js'
import { openStoreOf } from './mongo-store.js'
import { steering, type Verdict } from './wire-taps.js'

export const behindProxy = async (uri: string, tap?: () => Tap) => {
  const url = new URL(uri)
  const proxy = await openProxy(Number(url.port), tap)
  url.host = `127.0.0.1:${proxy.port}`
  // a replica set would tell the driver the addresses of its members, past the proxy
  url.searchParams.set('directConnection', 'true')
  url.searchParams.delete('replicaSet')
  return { proxy, uri: url.href, server: url.host }
}

export const openSteeredStore = async (
  direct: string,
  decide: (command: string) => Verdict = () => 'pass',
  createTimeoutMs?: number,
) => {
  const commands: Document[] = []
  const { uri } = await behindProxy(
    direct,
    steering(decide, (command) => commands.push(command)),
  )
  const store = openStoreOf(uri, {}, createTimeoutMs)
  await succeed(store.ping)
  return { store, commands }
}

/** Replies to this command pass once the promise from `hold` resolves. */
export const openHeldStore = async (
  direct: string,
  command: string,
  hold: () => Promise<unknown>,
  deadlines: Partial<Deadlines> = {},
  notify: Notify = () => {},
) => {
  let commands = 0
  let held = 0
  let most = 0
  const holding = async (): Promise<void> => {
    commands += 1
    held += 1
    most = Math.max(most, held)
    await hold()
    held -= 1
  }
  const { uri, proxy } = await behindProxy(
    direct,
    steering((name) => (name === command ? holding() : 'pass')),
  )
  return {
    proxy,
    store: openStoreOf(uri, { notify }, undefined, deadlines),
    commands: () => commands,
    mostAtOnce: () => most,
  }
}

// Bounds what floods of requests put into memory at once.
import type { Socket } from 'node:net'

/** Excess requests of all connections after which nothing more is read in this turn of the event loop. */
const MAX_EXCESS = 2_000

/**
 * Returns a counter of excess requests. Node parses all that it reads at once, and 1,000 reads of 64 KiB full of tiny
 * requests fill the heap: so a turn of the event loop parses at most `MAX_EXCESS` and one read.
 */
export const makeValve = (connections: ReadonlyMap<unknown, { readonly socket: Socket }>): (() => void) => {
  let excess = 0
  let paused: Socket[] = []
  const endTurn = (): void => {
    // what resumes first is read first, so the destroyed ones come last
    const resumed = [true, false].flatMap((isGood) => paused.filter(({ writable }) => writable === isGood))
    excess = 0
    paused = []
    for (const socket of resumed) socket.resume()
  }
  return () => {
    if (excess === 0) setImmediate(endTurn)
    excess += 1
    if (excess % MAX_EXCESS !== 0) return
    for (const { socket } of connections.values()) {
      // Node has paused the others, whose clients do not read or whose bodies are not read
      if (socket.isPaused()) continue
      paused.push(socket.pause())
    }
  }
}

// Decides whether the events of new pets are queued. The first relay sets a flag in the store; every process then queues.
import * as E from 'fp-ts/lib/Either.js'
import type { Notify } from '../../ports/notice.js'
import type { Environment } from './environment/environment.js'
import { RELAYED_KEY } from './tables/meta-table.js'
import { NOTHING, type Tables } from './tables/tables.js'

const isMarked = ({ meta }: Tables): boolean => meta.doesExist(RELAYED_KEY)

/** Marks the store as relayed for every process. Rejects with the reason if it cannot. */
export const markRelayed = async (environment: Environment): Promise<void> => {
  const before = await environment.read(isMarked)()
  if (E.isRight(before) && before.right) return
  const mark = environment.write(({ meta }) => {
    meta.putSync(RELAYED_KEY, NOTHING)
    return E.right(undefined)
  })
  const marked = await mark()
  if (E.isRight(marked)) return
  const { cause } = marked.left
  throw new Error(`cannot mark the store as relayed: ${E.toError(cause).message}`, { cause })
}

/** Whether to queue a new event; called in the transaction that adds its pet. */
export const makeEventQueuing = (isRelayed: boolean, notify: Notify): ((tables: Tables) => boolean) => {
  let isNoticed = isRelayed
  return (tables) => {
    const isQueued = isRelayed || isMarked(tables)
    if (isQueued && !isNoticed) {
      isNoticed = true
      const message = 'EVENTS_URL is not set: new events wait until a process that has it sends them'
      notify({ level: 'warn', message, details: {} })
    }
    return isQueued
  }
}

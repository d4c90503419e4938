// animal-store serve: runs the service until a signal ends it.
import { setTimeout as sleep } from 'node:timers/promises'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { makeLog } from '../composition/log.js'
import type { Store } from '../ports/store.js'
import { startService } from '../start-service.js'
import { type Command, DONE, FAILED } from './command.js'
import { firstKeyText } from './first-key.js'

/** Milliseconds within which a signal is the first one again: npm sends on what a terminal's Ctrl-C has sent to both. */
const ECHO = 50

/** Milliseconds that a store gets to end the commit under way when the process is to end at once. */
const LAST_COMMIT = 200

const signal = (endAtOnce: () => Promise<never>): Promise<void> =>
  new Promise((resolve) => {
    let first: number | undefined
    const receive = (): void => {
      first ??= performance.now()
      // a second signal ends at once: who sends it does not want to wait
      if (performance.now() - first > ECHO) void endAtOnce()
      resolve()
    }
    process.on('SIGTERM', receive)
    process.on('SIGINT', receive)
  })

export const serve: Command = {
  usage: 'serve',
  summary: 'run the service; settings come from the environment',
  options: {},
  operands: 0,
  run: async (_args, config, output) => {
    let closeStore: Store['close'] = () => Promise.resolve()
    const stopped = signal(async () => {
      await Promise.race([closeStore(), sleep(LAST_COMMIT)])
      process.exit(FAILED)
    })
    const log = await makeLog(config.logLevel)
    if (config.store._tag === 'memory') {
      output.message('STORE=memory: everything is gone when this process ends; for trying and for tests only')
    }
    const { store, url, stop } = await startService(config, log)
    closeStore = store.close
    const firstKey = await firstKeyText(store, config.store._tag, url)()
    if (E.isLeft(firstKey)) log.error({ err: firstKey.left.cause }, 'no first key could be made')
    else if (O.isSome(firstKey.right)) process.stderr.write(firstKey.right.value)
    await stopped
    const isComplete = await stop()
    await new Promise((resolve) => log.flush(resolve))
    return isComplete ? DONE : FAILED
  },
}

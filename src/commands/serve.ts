// animal-store serve: runs the service until a signal stops it.
import { setTimeout as sleep } from 'node:timers/promises'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { makeLog } from '../composition/log.js'
import type { Store } from '../ports/store.js'
import { startService } from '../start-service.js'
import { type Command, DONE, FAILED } from './command.js'
import { firstKeyText } from './first-key.js'

/** A second signal within this time is an echo: npm forwards the Ctrl-C that the terminal has sent to both processes. */
const ECHO_MS = 50

/** Time for the store to finish its last commit when the process has to exit at once. */
const LAST_COMMIT_MS = 200

const signal = (endAtOnce: () => Promise<never>): Promise<void> =>
  new Promise((resolve) => {
    let first: number | undefined
    const receive = (): void => {
      first ??= performance.now()
      // a second signal means: do not wait
      if (performance.now() - first > ECHO_MS) void endAtOnce()
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
      await Promise.race([closeStore(), sleep(LAST_COMMIT_MS)])
      process.exit(FAILED)
    })
    const log = await makeLog(config)
    if (config.store._tag === 'memory') {
      output.message('STORE=memory keeps data only until this process ends; use it for tests and demos')
    }
    const { store, url, stop } = await startService(config, log)
    closeStore = store.close
    const firstKey = await firstKeyText(store, config.store._tag, url)()
    if (E.isLeft(firstKey)) log.error({ err: firstKey.left.cause }, 'the first key could not be created')
    else if (O.isSome(firstKey.right)) process.stderr.write(firstKey.right.value)
    await stopped
    const isComplete = await stop()
    await new Promise((resolve) => log.flush(resolve))
    return isComplete ? DONE : FAILED
  },
}

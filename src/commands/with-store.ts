// Runs a command on the store of the running service, beside it.
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { missingStoreFolder, openStore } from '../composition/open-store.js'
import type { Config } from '../config/config.js'
import type { ApiKeyNotFound, ApiKeyReplaced, Unavailable } from '../domain/errors.js'
import type { Store } from '../ports/store.js'
import { DONE, FAILED, type Output } from './command.js'

type Failure = ApiKeyNotFound | ApiKeyReplaced | Unavailable

const explain = (failure: Failure): string => {
  switch (failure._tag) {
    case 'ApiKeyNotFound':
      return `there is no live key with the id ${failure.id}`
    case 'ApiKeyReplaced':
      return `the key ${failure.id} was already replaced by ${failure.successor}; rotate that one`
    case 'Unavailable':
      return `the store cannot be used: ${failure.cause instanceof Error ? failure.cause.message : String(failure.cause)}`
  }
}

/** Whether a command may make an embedded store that is missing: only one that adds something to it. */
export type IfMissing = 'make it' | 'fail'

/** Opens the store, does the work, prints its result, and closes the store whatever happens. */
export const withStore = async <A>(
  config: Config,
  ifMissing: IfMissing,
  output: Output,
  work: (store: Store) => TaskEither<Failure, A>,
  print: (result: A) => void,
): Promise<number> => {
  if (config.store._tag === 'memory') {
    output.message('STORE=memory keeps everything inside the serving process; no other command can reach it')
    return FAILED
  }
  const folder = await missingStoreFolder(config)
  if (folder !== undefined && ifMissing === 'fail') {
    output.message(`there is no store in ${folder}: set DATA_DIR to the folder of the running service`)
    return FAILED
  }
  const store = await openStore(config, {
    reportDamage: ({ record, id, reason }) => output.message(`damaged ${record} ${id}: ${reason}`),
    // a store that is away fails the work, which says so
    notify: () => {},
    // the service has checked it; beside one that writes there is nothing to check
    checksDataFile: false,
  })
  if (folder !== undefined) output.message(`made a new store in ${folder} (DATA_DIR)`)
  try {
    const outcome = await work(store)()
    if (E.isLeft(outcome)) {
      output.message(explain(outcome.left))
      return FAILED
    }
    print(outcome.right)
    return DONE
  } finally {
    await store.close()
  }
}

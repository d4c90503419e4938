// animal-store indexes: creates the indexes of MongoDB when the operator chooses.

import * as E from 'fp-ts/lib/Either.js'
import { fromMongodbUri } from '../composition/configured-adapters.js'
import { storeText } from '../config/config.js'
import { asError } from '../domain/thrown.js'
import { type Command, DONE, failed } from './command.js'

export const indexes: Command = {
  usage: 'indexes',
  summary: 'create missing indexes in MongoDB, which may take minutes',
  run: async (args, config, output) => {
    const { store } = config
    if (store._tag !== 'mongodb') {
      return failed(output, `STORE=${store._tag} has no indexes to create; this command is for STORE=mongodb`)
    }
    output.message(`store: ${storeText(store)}`)
    const { ensureIndexes } = await import('../adapters/mongodb/schema.js')
    const prepare = (name: string): void => output.message(`preparing the collection ${name}`)
    const ensured = await fromMongodbUri(config, () => ensureIndexes(store.uri, prepare))()
    const problem = `the indexes in the database of ${config.mongodbVariable} could not be created`
    if (E.isLeft(ensured)) return failed(output, `${problem}: ${asError(ensured.left.cause).message}`)
    await output.result(args.json ? { json: '{"ensured":true}' } : ['ensured'])
    return DONE
  },
}

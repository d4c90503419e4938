// The built service as a process on the store that STORE names, with a key.
import { BUILT, type Environment, startCli } from '../support/processes/cli-process.js'
import { issueKey } from '../support/processes/service-process.js'
import { temporaryFolder } from '../support/runner/temporary-folder.js'

interface TestedService {
  /** Without `/v1`. */
  readonly origin: string
  readonly key: string
}

/** Until the test ends; `mongodb` is the server for STORE=mongodb. */
export const startTestedService = async (mongodb: string): Promise<TestedService> => {
  const store = process.env['STORE'] ?? 'memory'
  const uri = new URL(mongodb)
  uri.pathname = '/animal_store_schema'
  const settings: Environment = {
    STORE: store,
    DATA_DIR: await temporaryFolder(),
    MONGODB_URI: uri.href,
    PORT: '0',
    DRAIN_SECONDS: '0',
  }
  // the other stores print a first key
  const issued = store === 'mongodb' ? await issueKey(settings) : undefined
  const service = startCli(BUILT, settings, 'serve')
  const url = await service.find(/"url":"(http:[^"]+)"/)
  return { origin: new URL(url).origin, key: issued ?? (await service.find(/(ast_live_\w+)\n/)) }
}

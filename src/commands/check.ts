// animal-store check: validates the configuration as `serve` would, without opening or starting anything.
import { fromMongodbUri, needSqlite, preparePublisher } from '../composition/configured-adapters.js'
import { settingTexts } from '../config/config.js'
import { type Command, DONE } from './command.js'

export const check: Command = {
  usage: 'check',
  summary: 'validate the configuration without starting anything, and print the settings in force without secrets',
  run: async (args, config, output, _clock, environment) => {
    const { store } = config
    // the driver may refuse a well-formed address
    if (store._tag === 'mongodb') {
      const { makeDatabase } = await import('../adapters/mongodb/connection/connection.js')
      fromMongodbUri(config, () => makeDatabase(store.uri, 'maintenance'))
    }
    if (store._tag === 'embedded') needSqlite()
    await preparePublisher(config)
    const settings = settingTexts(environment, config)
    const lines = Object.entries(settings).map(([name, text]) => (text === null ? `#${name}=` : `${name}=${text}`))
    await output.result(args.json ? { json: JSON.stringify(settings) } : lines)
    return DONE
  },
}

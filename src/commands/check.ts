// animal-store check: judges the configuration as a start would, without opening or starting anything.
import { fromMongodbUri, preparePublisher } from '../composition/configured-adapters.js'
import type { Config } from '../config/config.js'
import { settingTexts } from '../config/config.js'
import { type Command, DONE } from './command.js'

/** Throws `BadConfiguration` if a driver refuses its address. */
const checkDrivers = async (config: Config): Promise<void> => {
  const { store } = config
  if (store._tag === 'mongodb') {
    const { makeDatabase } = await import('../adapters/mongodb/connection/connection.js')
    fromMongodbUri(config, () => makeDatabase(store.uri, 'maintenance'))
  }
  await preparePublisher(config)
}

export const check: Command = {
  usage: 'check',
  summary: 'judge the configuration without starting anything, and print the settings in force without secrets',
  run: async (args, config, output, _clock, environment) => {
    await checkDrivers(config)
    const settings = settingTexts(environment, config)
    const lines = Object.entries(settings).map(([name, text]) => (text === null ? `#${name}=` : `${name}=${text}`))
    await output.result(args.json ? JSON.stringify(settings) : lines.join('\n'))
    return DONE
  },
}

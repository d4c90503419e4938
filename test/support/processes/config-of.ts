import * as E from 'fp-ts/lib/Either.js'
import type { Config } from '../../../src/config/config.js'
import { readConfig } from '../../../src/config/config.js'

export const configOf = (environment: Readonly<Record<string, string>>): Config => {
  const config = readConfig(environment)
  if (E.isLeft(config)) throw new Error(config.left.join('\n'))
  return config.right
}

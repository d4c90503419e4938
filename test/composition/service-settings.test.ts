import * as E from 'fp-ts/lib/Either.js'
import { expect, it } from 'vitest'
import { DEFAULT_SERVICE } from '../../src/composition/service-settings.js'
import { readConfig } from '../../src/config/read-config.js'

it('the defaults of a service are those of the command line', () => {
  const config = readConfig({})
  const defaults: object = E.isRight(config) ? config.right : {}
  const shared = Object.entries(DEFAULT_SERVICE).filter(([name]) => name in defaults)
  expect(shared.length).toBeGreaterThanOrEqual(13)
  expect(defaults).toMatchObject(Object.fromEntries(shared))
})

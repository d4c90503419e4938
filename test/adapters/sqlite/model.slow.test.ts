import { it } from 'vitest'
import { expectSameResponses } from '../../support/http/same-responses.js'
import { temporaryPath } from '../../support/runner/temporary-folder.js'
import { openStoreIn } from './open-store.js'

it('the embedded store answers any requests like the memory store [create-pet]', { timeout: 60_000 }, () =>
  expectSameResponses(async () => openStoreIn(await temporaryPath()), 10),
)

import { it } from 'vitest'
import { expectSameAnswers } from '../../support/http/same-answers.js'
import { temporaryPath } from '../../support/runner/temporary-folder.js'
import { openStoreIn } from './open-store.js'

it('the embedded store answers any requests like the memory store [create-pet]', { timeout: 60_000 }, () =>
  expectSameAnswers(async () => openStoreIn(await temporaryPath()), 10),
)

import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { expect, it } from 'vitest'
import { systemClock } from '../../src/adapters/node/system.js'
import type { Output } from '../../src/commands/command.js'
import { storeCommand } from '../../src/commands/store-command.js'
import { readConfig } from '../../src/config/config.js'
import { numbered, range, record, succeed } from '../../src/testing/samples.js'
import { DAMAGED_NAME, damagePets, openStoreIn } from '../adapters/sqlite/open-store.js'
import { temporaryPath } from '../support/runner/temporary-folder.js'

it('tells a damaged record once, whether the store or the work of the command has met it', async () => {
  const folder = await temporaryPath()
  const filled = await openStoreIn(folder)
  for (const id of range(1, 3)) await succeed(filled.pets.add(record(numbered(id))))
  await filled.close()
  damagePets(folder, 2)
  const named = [2, 3].map((id) => ({ record: 'pet', id: String(id), reason: DAMAGED_NAME }) as const)
  const command = storeCommand({
    usage: 'look',
    summary: 'look at a damaged pet',
    plan: () => (store, reportDamage) =>
      pipe(
        store.pets.findById(2n),
        TE.map(() => {
          named.forEach(reportDamage)
          return { json: null, lines: [], ifEmpty: 'nothing is wrong' }
        }),
      ),
  })
  const messages: string[] = []
  const write = async (): Promise<void> => expect.unreachable()
  const output: Output = { message: (text) => messages.push(text), result: write, notice: write, audit: () => {} }
  const config = readConfig({ DATA_DIR: folder })
  if (E.isLeft(config)) throw new Error(config.left.join())
  const words = { positionals: [], values: () => [], json: false }
  expect(await command.run(words, config.right, output, systemClock, {})).toBe(0)
  expect(messages).toStrictEqual([
    `store: embedded, ${folder}`,
    `damaged pet 2: ${DAMAGED_NAME}`,
    `damaged pet 3: ${DAMAGED_NAME}`,
  ])
})

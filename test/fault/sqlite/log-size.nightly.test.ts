// The log of a store whose processes never rest: none of them ever finds it wholly moved, unless writers wait for that.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { bundleProgram } from '../../support/processes/bundle-program.js'
import { startProcess } from '../../support/processes/cli-process.js'
import { temporaryPath } from '../../support/runner/temporary-folder.js'

const WRITER = bundleProgram(fileURLToPath(new URL('../../adapters/sqlite/writer.ts', import.meta.url)))

it.each([1, 2, 3])('of %i processes that write all the time stays below 64 MiB', async (count) => {
  const folder = await temporaryPath()
  const start = (pets: number, prefix: string) =>
    startProcess(process.execPath, [WRITER, folder, '8', String(pets), prefix], process.env)
  expect(await start(8, 'first').exit).toBe(0)
  const writers = Array.from({ length: count }, (_, at) => start(60_000 / count, `writer ${at}`))
  let isOver = false
  const all = Promise.all(writers.map(({ exit }) => exit)).finally(() => {
    isOver = true
  })
  const sizes = [0]
  while (!isOver) {
    sizes.push(statSync(join(folder, 'animal-store.db-wal'), { throwIfNoEntry: false })?.size ?? 0)
    await sleep(50)
  }
  expect(await all).toStrictEqual(writers.map(() => 0))
  expect(Math.max(...sizes)).toBeLessThan(64 * 1_048_576)
})

import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { bundleProgram } from '../../support/processes/bundle-program.js'
import { startCli } from '../../support/processes/cli-process.js'
import { byNight } from '../../support/runner/night.js'
import { temporaryPath } from '../../support/runner/temporary-folder.js'
import { type Acknowledged, expectKept, expectOrdered, startWriter } from './ledger.js'

const OPENER = bundleProgram(fileURLToPath(new URL('opener.ts', import.meta.url)))

/** Milliseconds of work before each kill, the same in every run. */
const lifetimes = (count: number): readonly number[] =>
  fc.sample(fc.integer({ min: 0, max: 150 }), { seed: 5, numRuns: count })

describe('the embedded store', () => {
  let folder: string
  beforeEach(async () => {
    folder = await temporaryPath()
  })

  it('keeps every acknowledged pet through repeated kill -9 under load', async () => {
    const ledger: Acknowledged[] = []
    for (const [round, lifetimeMs] of lifetimes(byNight(20, 5)).entries()) {
      const writer = startWriter(folder, 32, `round ${round}`.replace(' ', '_'))
      await writer.acknowledged(1)
      await sleep(lifetimeMs)
      ledger.push(...(await writer.kill()))
      await expectKept(folder, ledger)
    }
    expectOrdered(ledger)
    expect(ledger.length).toBeGreaterThan(0)
  })

  it('lets a process continue when another one on the folder is killed, with unique ascending ids [ids processes]', async () => {
    const survivor = startWriter(folder, 16, 'survivor')
    const ledger: Acknowledged[] = []
    let awaited = 0
    for (const [round, lifetimeMs] of lifetimes(byNight(10, 3)).entries()) {
      const other = startWriter(folder, 16, `other_${round}`)
      await other.acknowledged(50)
      await sleep(lifetimeMs)
      ledger.push(...(await other.kill()))
      awaited += 200
      await survivor.acknowledged(awaited)
    }
    ledger.push(...(await survivor.kill()))
    await expectKept(folder, ledger)
    expectOrdered(ledger)
    expect(new Set(ledger.map(({ id }) => id)).size).toBe(ledger.length)
  })

  it('is opened by many processes at once while it is new', async () => {
    for (const round of [1, 2, 3]) {
      folder = await temporaryPath()
      const writers = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => startWriter(folder, 1, `${name}${round}`))
      await Promise.all(writers.map((writer) => writer.acknowledged(3)))
      await expectKept(folder, (await Promise.all(writers.map((writer) => writer.kill()))).flat())
    }
  })

  it('keeps every acknowledged pet while other processes open the folder and close it', async () => {
    const writers = [startWriter(folder, 8, 'one'), startWriter(folder, 8, 'other')]
    await Promise.all(writers.map((writer) => writer.acknowledged(1)))
    const openers = [startCli([OPENER], {}, folder), startCli([OPENER], {}, folder)]
    await sleep(byNight(12_000, 3_000))
    for (const opener of openers) await opener.end('SIGKILL')
    const ledger = (await Promise.all(writers.map((writer) => writer.kill()))).flat()
    await expectKept(folder, ledger)
    expectOrdered(ledger)
  })
})

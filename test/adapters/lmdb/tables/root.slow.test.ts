import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import * as E from 'fp-ts/lib/Either.js'
import { beforeEach, describe, expect, it } from 'vitest'
import { addAll, everything, fail, idsOf, numbered, record, succeed } from '../../../../src/testing/samples.js'
import { temporaryFolder } from '../../../support/runner/temporary-folder.js'
import { openStoreIn } from '../open-store.js'

const STOPPED = /a process was stopped while it opened the folder/

/** In another process: closing any file of LMDB's would release the locks of this one. */
const elsewhere = (script: string, folder: string) => promisify(execFile)(process.execPath, ['-e', script, folder])

/** What an opening does that read the header before a commit of another process, and stored its number after it. */
const setBack = (folder: string) =>
  elsewhere(
    `const fs = require('fs')
    const file = fs.openSync(process.argv[1] + '/lock.mdb', 'r+')
    const number = Buffer.alloc(8)
    fs.readSync(file, number, 0, 8, 8)
    number.writeBigUInt64LE(number.readBigUInt64LE() - 1n)
    fs.writeSync(file, number, 0, 8, 8)`,
    folder,
  )

const reopen = (folder: string, options: string) =>
  elsewhere(`require('lmdb').open({ path: process.argv[1], noSubdir: false, maxDbs: 32, ${options} }).close()`, folder)

describe('the number of the latest commit, set back by a process that opens the folder', () => {
  let folder: string
  beforeEach(async () => {
    folder = await temporaryFolder()
  })

  it.each(['readOnly: true', 'readOnly: false'])(
    'loses nothing: a write waits until it is right [%s]',
    async (options) => {
      const store = await openStoreIn(folder)
      await addAll(store.pets, [numbered(1), numbered(2)])
      await setBack(folder)
      const add = store.pets.add(record(numbered(3)))
      const added = add()
      expect(await Promise.race([added, sleep(100, 'waits')])).toBe('waits')
      await reopen(folder, options)
      // on a busy machine, the opening takes longer than a write waits
      if (E.isLeft(await added)) await succeed(add)
      expect(await idsOf(store.pets, everything)).toStrictEqual([3, 2, 1])
    },
  )

  it('fails a write, and an opening, if that process ended before it put it right', async () => {
    const store = await openStoreIn(folder)
    await addAll(store.pets, [numbered(1), numbered(2)])
    await setBack(folder)
    expect(await fail(store.pets.add(record(numbered(3))))).toMatchObject({
      cause: { message: expect.stringMatching(STOPPED) },
    })
    await expect(openStoreIn(folder)).rejects.toThrow(STOPPED)
    await reopen(folder, 'readOnly: true')
    await succeed(store.pets.add(record(numbered(3))))
    expect(await idsOf(store.pets, everything)).toStrictEqual([3, 2, 1])
  })
})

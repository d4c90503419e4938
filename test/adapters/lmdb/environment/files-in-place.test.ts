import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as O from 'fp-ts/lib/Option.js'
import { beforeEach, describe, expect, it } from 'vitest'
import { RELAY_UNUSED } from '../../../../src/domain/events/relay-record.js'
import { ALL_PETS } from '../../../../src/domain/pets/pet-query.js'
import type { Notice } from '../../../../src/ports/notice.js'
import type { Store } from '../../../../src/ports/store.js'
import { numbered, record } from '../../../../src/testing/contracts/pet-samples.js'
import { fail, succeed } from '../../../../src/testing/outcome.js'
import { temporaryPath } from '../../../support/runner/temporary-folder.js'
import { openStoreIn } from '../open-store.js'

describe('an open store', () => {
  let folder: string
  let store: Store
  let notices: Notice[]
  beforeEach(async () => {
    folder = await temporaryPath()
    notices = []
    store = await openStoreIn(folder, { notify: (notice) => notices.push(notice) })
    await succeed(store.pets.add(record(numbered(1))))
  })

  const moved = () => `${folder}.moved`
  const expectRefused = async (): Promise<void> => {
    const unavailable = { _tag: 'Unavailable', cause: { message: expect.stringContaining(folder) } }
    expect(await fail(store.ping)).toMatchObject(unavailable)
    expect(await fail(store.pets.add(record(numbered(2))))).toMatchObject(unavailable)
    expect(await fail(store.apiKeys.change('a', {}))).toMatchObject(unavailable)
    expect(await fail(store.relay.save({ ...RELAY_UNUSED, version: 1 }))).toMatchObject(unavailable)
  }
  const expectOneError = (reason: string): void =>
    expect(notices).toStrictEqual([
      {
        level: 'error',
        message: 'the data folder is not the one that was opened: writes are refused',
        details: { reason },
      },
    ])

  it('refuses writes and pings once its folder is deleted, reports it once, and keeps reading', async () => {
    await succeed(store.ping)
    await rm(folder, { recursive: true })
    await expectRefused()
    expectOneError(`${join(folder, 'data.mdb')} is missing`)
    expect(await succeed(store.pets.findById(1n))).toStrictEqual(O.some(numbered(1)))
    expect(await succeed(store.pets.count(ALL_PETS))).toBe(1)
  })

  it('refuses writes once another store replaces its folder, and does not change that store', async () => {
    await rename(folder, moved())
    const other = await openStoreIn(folder)
    await expectRefused()
    expectOneError(`${join(folder, 'data.mdb')} is another file`)
    expect(await succeed(other.pets.count(ALL_PETS))).toBe(0)
    await succeed(other.ping)
  })

  it('refuses writes once its lock file is deleted, which would let another process write at the same time', async () => {
    await rm(join(folder, 'lock.mdb'))
    await expectRefused()
    expectOneError(`${join(folder, 'lock.mdb')} is missing`)
  })

  it('writes again once its folder is back, without the refused writes', async () => {
    await rename(folder, moved())
    await expectRefused()
    await rename(moved(), folder)
    await succeed(store.ping)
    expect(await succeed(store.pets.count(ALL_PETS))).toBe(1)
    await succeed(store.pets.add(record(numbered(2))))
    expect(notices.map(({ level }) => level)).toStrictEqual(['error', 'info'])
  })
})

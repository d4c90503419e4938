import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it } from 'vitest'
import { makePageMemory } from '../../../src/domain/pets/page-memory.js'
import { type PetPage, type PetQuery, pageOf } from '../../../src/domain/pets/pet-query.js'
import { everything, numbered } from '../../../src/testing/samples.js'

describe('a remembered page', () => {
  const memory = () => {
    const remembered = makePageMemory()
    let reads = 0
    const find = (query: Partial<PetQuery>, version: () => number | undefined = () => 1): PetPage =>
      remembered({ ...everything, ...query }, version, () => {
        reads += 1
        return pageOf([numbered(reads)], 20)
      })
    return { find, reads: () => reads }
  }

  it('is returned again for an equal query of the same version, and for no other', () => {
    const { find, reads } = memory()
    const page = find({})
    expect(find({})).toBe(page)
    const others: readonly Partial<PetQuery>[] = [{ limit: 19 }, { before: O.some(7n) }, { status: O.some('sold') }]
    for (const query of others) expect(find(query)).not.toBe(page)
    expect(find({}, () => 2)).not.toBe(page)
    expect(reads()).toBe(5)
  })

  it('is not kept if its version is unknown, or changes while it is read', () => {
    const { find, reads } = memory()
    let version: number | undefined
    find({}, () => version)
    find({}, () => version)
    version = 0
    find({}, () => (version = (version ?? 0) + 1))
    find({}, () => 1)
    expect(reads()).toBe(4)
  })

  it('is not kept for a filter that no index covers', () => {
    const { find, reads } = memory()
    find({ ids: O.some([1n]) })
    find({ ids: O.some([1n]) })
    expect(reads()).toBe(2)
  })

  it('is forgotten after 64 others', () => {
    const { find, reads } = memory()
    const page = find({})
    for (let before = 1n; before <= 63n; before += 1n) find({ before: O.some(before) })
    expect(find({})).toBe(page)
    find({ before: O.some(64n) })
    expect(find({})).not.toBe(page)
    expect(reads()).toBe(66)
  })
})

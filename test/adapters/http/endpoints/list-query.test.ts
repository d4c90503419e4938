import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it } from 'vitest'
import * as cursor from '../../../../src/adapters/http/endpoints/list-query.js'
import { nodeCrypto } from '../../../../src/adapters/node/system.js'
import { ALL_PETS, type PetFilter } from '../../../../src/domain/pets/pet-query.js'
import { petFilter, petId } from '../../../../src/testing/arbitraries.js'

const encodeCursor = (before: bigint, of: PetFilter) => cursor.encodeCursor(before, of, nodeCrypto.sha256)
const decodeCursor = (text: string, of: PetFilter) => cursor.decodeCursor(text, of, nodeCrypto.sha256)

describe('a cursor', () => {
  it('decodes to its position', () => {
    fc.assert(
      fc.property(petId(), petFilter(), (before, of) => {
        expect(decodeCursor(encodeCursor(before, of), of)).toEqual(O.some(before))
      }),
    )
  })

  it('ignores the order of ids and repeated ids', () => {
    const of = (...ids: readonly bigint[]): PetFilter => ({ ...ALL_PETS, ids: O.some(ids) })
    const cursor = encodeCursor(9n, of(3n, -1n, 20n))
    expect(decodeCursor(cursor, of(20n, 3n, 3n, -1n))).toEqual(O.some(9n))
    expect(decodeCursor(cursor, of(20n, 3n))).toEqual(O.none)
  })

  it('needs no escaping in a query', () => {
    fc.assert(
      fc.property(petId(), petFilter(), (before, of) => {
        expect(encodeCursor(before, of)).toMatch(/^[\w-]+$/)
      }),
    )
  })

  it('is invalid after a change of any character [paging]', () => {
    const character = fc.constantFrom(...Array.from('ABCFabcdefxyz019-_=+/ .%'))
    fc.assert(
      fc.property(petId(), petFilter(), fc.nat(), character, (before, of, place, other) => {
        const cursor = encodeCursor(before, of)
        const at = place % cursor.length
        fc.pre(cursor[at] !== other)
        expect(decodeCursor(cursor.slice(0, at) + other + cursor.slice(at + 1), of)).toEqual(O.none)
      }),
    )
  })

  it('is invalid for another filter, whichever member differs', () => {
    const canonical = (of: PetFilter) => ({ ...of, ids: O.map((ids: readonly bigint[]) => new Set(ids))(of.ids) })
    fc.assert(
      fc.property(petId(), petFilter(), petFilter(), (before, of, other) => {
        fc.pre(!isDeepStrictEqual(canonical(of), canonical(other)))
        expect(decodeCursor(encodeCursor(before, of), other)).toEqual(O.none)
      }),
    )
  })
})

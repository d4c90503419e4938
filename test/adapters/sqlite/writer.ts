// A process that adds pets to a folder and prints each acknowledged one, until it ends or a test kills it.
// Arguments: folder, number of concurrent callers, number of pets (0: until it is killed), prefix of the names.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { nodeCrypto, systemClock } from '../../../src/adapters/node/system.js'
import { openSqliteStore } from '../../../src/adapters/sqlite/store.js'
import { MAX_INT64 } from '../../../src/domain/codecs/scalar.js'
import { addPet } from '../../../src/domain/pets/add-pet.js'
import { PET_STATUSES } from '../../../src/domain/pets/pet.js'
import { succeed } from '../../../src/testing/samples.js'

const [directory = '', callers = '1', pets = '0', prefix = ''] = process.argv.slice(2)
const wanted = Number(pets) || Number.POSITIVE_INFINITY
const store = await succeed(openSqliteStore({ directory, notify: () => {}, reportDamage: () => process.exit(3) }))
const add = addPet({ ...store, clock: systemClock, crypto: nodeCrypto })

let begun = 0
const call = async (): Promise<void> => {
  while (begun < wanted) {
    begun += 1
    const name = `${prefix}-${begun}`
    const status = PET_STATUSES[begun % 4]
    const newPet = { name, categoryId: MAX_INT64 - BigInt(begun), ...(status && { status }) }
    const added = await add({ newPet, idempotencyKey: O.some({ lineage: 'k', key: name }) })()
    // synchronous, so that every acknowledged pet is printed, whatever happens next
    if (E.isRight(added)) process.stdout.write(`added ${added.right.pet.id}\n`)
  }
}
await Promise.all(Array.from({ length: Number(callers) }, call))
await store.close()

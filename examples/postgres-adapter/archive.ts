// Everything in the store as plain records, so that it can move to another store and back.
import type { Archive, ArchiveItem, Counted, Damage, ImportBatch, ImportTarget, Stored } from 'animal-store'
import { decideImport, faultsText } from 'animal-store'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { ApiKeyFromJson, insertKey } from './api-keys.js'
import type { Database, Row, Run } from './database.js'
import { eventOf, holderIn, insertPet, putKey, raiseLastId } from './pets.js'

/** Pets per batch: a few milliseconds of work. */
const BATCH = 500

type Decoded<A> = E.Either<Parameters<typeof faultsText>[0], A>

const itemOf = <A>(record: Damage['record'], id: unknown, value: Decoded<A>, item: (value: A) => ArchiveItem) =>
  E.isRight(value)
    ? item(value.right)
    : ({ _tag: 'Damaged', damage: { record, id: String(id), reason: faultsText(value.left) } } as const)

const readStart = async (run: Run): Promise<readonly ArchiveItem[]> => {
  const [store] = await run('SELECT last_id FROM store')
  const keys = await run('SELECT id, record FROM api_keys ORDER BY id')
  return [
    { _tag: 'StoreState', lastId: store?.['last_id'] as bigint },
    ...keys.map(({ id, record }) =>
      itemOf('API key', id, ApiKeyFromJson.decode(record), (key) => ({ _tag: 'ApiKey', key })),
    ),
  ]
}

const keyItem = ({ lineage, key, expires_at, pet_id, event_id }: Row): ArchiveItem => ({
  _tag: 'IdempotencyKey',
  petId: pet_id as bigint,
  eventId: String(event_id),
  key: { lineage: String(lineage), key: String(key), expiresAt: Number(expires_at) },
})

/** A batch of pets, followed by their idempotency keys. */
const readPets = async (run: Run, after: unknown, now: number) => {
  const pets = await run('SELECT * FROM pets WHERE id > $1 ORDER BY id LIMIT $2', [after, BATCH])
  const last = pets.at(-1)?.['id']
  const keys = await run(
    `SELECT k.*, event_id FROM idempotency_keys k JOIN pets ON id = pet_id
     WHERE pet_id > $1 AND pet_id <= $2 AND expires_at > $3 ORDER BY pet_id`,
    [after, last, now],
  )
  const items = pets.map((row) => itemOf('pet', row['id'], eventOf(row), (event) => ({ _tag: 'Pet', event })))
  // a key without its pet is of no use to another store
  const whole = new Set(items.flatMap((item) => (item._tag === 'Pet' ? item.event.pet.id : [])))
  return { items: [...items, ...keys.filter((row) => whole.has(row['pet_id'] as bigint)).map(keyItem)], last }
}

/** `decideImport` works in memory, so everything that the batch names is read first. */
const targetOf = async (run: Run, { records }: ImportBatch): Promise<ImportTarget> => {
  const petIds = records.flatMap((one) => (one._tag === 'Pet' ? one.event.pet.id : 'petId' in one ? one.petId : []))
  const apiKeyIds = records.flatMap((one) => (one._tag === 'ApiKey' ? one.key.id : []))
  const keys = records.flatMap((one) => (one._tag === 'IdempotencyKey' ? one.key : []))
  const find = async (sql: string, values: readonly unknown[], nameOf: (row: Row) => unknown) =>
    new Map((await run(sql, values)).map((row) => [nameOf(row), row]))
  const idOf = ({ id }: Row) => id
  const nameOf = ({ lineage, key }: { readonly lineage?: unknown; readonly key?: unknown }) =>
    JSON.stringify([lineage, key])
  const pets = await find('SELECT * FROM pets WHERE id = ANY ($1)', [petIds], idOf)
  const apiKeys = await find('SELECT * FROM api_keys WHERE id = ANY ($1)', [apiKeyIds], idOf)
  const holders = await find(
    'SELECT * FROM idempotency_keys JOIN unnest($1::text[], $2::text[]) AS named (lineage, key) USING (lineage, key)',
    [keys.map(({ lineage }) => lineage), keys.map(({ key }) => key)],
    nameOf,
  )
  const stored = <A>(row: Row | undefined, decode: (row: Row) => Decoded<A>): Stored<A> =>
    row === undefined ? E.right(O.none) : E.bimap(faultsText, O.some<A>)(decode(row))
  return {
    lastPet: (await run('SELECT coalesce(max(id), 0) AS last FROM pets'))[0]?.['last'] as bigint,
    pet: (id) => stored(pets.get(id), eventOf),
    apiKey: (id) => stored(apiKeys.get(id), ({ record }) => ApiKeyFromJson.decode(record)),
    holder: (key) => E.right(O.map(holderIn)(O.fromNullable(holders.get(nameOf(key))))),
  }
}

const put = (run: Run, record: Counted): Promise<unknown> => {
  if (record._tag === 'Pet') return insertPet(run, record.event)
  return record._tag === 'ApiKey' ? insertKey(run, record.key) : putKey(run, record.key, record.petId)
}

export const makeArchive = ({ read, write }: Database): Archive => ({
  // others may write between the batches
  read: async function* (now) {
    const start = await read(readStart)()
    yield start
    let batch = E.map(() => ({ last: 0 as unknown }))(start)
    while (E.isRight(batch) && batch.right.last !== undefined) {
      const { last } = batch.right
      const next = await read((run) => readPets(run, last, now))()
      yield E.map(({ items }: { readonly items: readonly ArchiveItem[] }) => items)(next)
      batch = next
    }
  },
  add: (batch) =>
    TE.flatMapEither((added: ReturnType<typeof decideImport>) => added)(
      write(async (run) => {
        const added = decideImport(batch, await targetOf(run, batch))
        if (E.isLeft(added)) return added
        for (const record of added.right) await put(run, record)
        await raiseLastId(run, O.getOrElse(() => 0n)(batch.lastId))
        return added
      }),
    ),
})

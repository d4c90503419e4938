// Each API key is JSON text from the domain's own codec, which escapes NUL.
import type { ApiKeyStore, ReportDamage } from 'animal-store'
import { ApiKey, canChange, faultsText, fromJson, hasEndedBefore } from 'animal-store'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Database, Row, Run } from './database.js'

export const ApiKeyFromJson = fromJson('ApiKeyFromJson', ApiKey)

/** A duplicate id violates the primary key, which results in Unavailable. */
export const insertKey = (run: Run, key: ApiKey) =>
  run('INSERT INTO api_keys VALUES ($1, $2, $3)', [key.id, key.createdAt, ApiKeyFromJson.encode(key)])

export const makeApiKeys = ({ read, write }: Database, report: ReportDamage): ApiKeyStore => {
  const keysIn = (rows: readonly Row[]): readonly ApiKey[] =>
    rows.flatMap(({ id, record }) => {
      const key = ApiKeyFromJson.decode(record)
      if (E.isRight(key)) return [key.right]
      report({ record: 'API key', id: String(id), reason: faultsText(key.left) })
      return []
    })

  const find = async (run: Run, id: string) =>
    O.fromNullable(keysIn(await run('SELECT * FROM api_keys WHERE id = $1', [id]))[0])

  const list = async (run: Run) => keysIn(await run('SELECT * FROM api_keys ORDER BY created_at, id COLLATE "C"'))

  return {
    add: (key) => write(async (run) => void (await insertKey(run, key))),
    addFirst: (key) =>
      write(async (run) => {
        const isFirst = (await run('SELECT FROM api_keys LIMIT 1')).length === 0
        if (isFirst) await insertKey(run, key)
        return isFirst
      }),
    find: (id) => read((run) => find(run, id)),
    list: read(list),
    change: (id, change) =>
      write(async (run) => {
        const found = O.filter((key: ApiKey) => canChange(key, change))(await find(run, id))
        const changed = O.map((key: ApiKey): ApiKey => ({ ...key, ...change }))(found)
        if (O.isSome(changed)) {
          await run('UPDATE api_keys SET record = $2 WHERE id = $1', [id, ApiKeyFromJson.encode(changed.value)])
        }
        return changed
      }),
    removeEnded: (before) =>
      write(async (run) => {
        const ended = (await list(run)).filter((key) => hasEndedBefore(key, before)).map(({ id }) => id)
        await run('DELETE FROM api_keys WHERE id = ANY ($1)', [ended])
        return ended.length
      }),
  }
}

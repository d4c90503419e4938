import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it } from 'vitest'
import type { ApiKey } from '../../../src/domain/api-keys/api-key.js'
import { type ArchiveLine, archiveLineFrom, archiveLineText } from '../../../src/domain/archive/archive-line.js'
import { MAX_INT64 } from '../../../src/domain/codecs/scalar.js'
import { heldRecord, liveKey, petRecord } from '../../../src/testing/contracts/archive-samples.js'
import { event, NOW } from '../../../src/testing/samples.js'
import { archiveLine } from '../../support/stores/archive-lines.js'

const biggest: ArchiveLine = {
  _tag: 'PetCreated',
  // the same in every run, because titles of tests show it
  event: { ...event(7, { name: 'a "b"\n', categoryId: MAX_INT64, status: 'sold' }), time: 6_993 },
  idempotencyKey: O.none,
}
const key = (changes: Partial<ApiKey> = {}): ArchiveLine => ({ _tag: 'ApiKey', key: liveKey(changes) })
const iso = (sinceMs: number): string => new Date(NOW + sinceMs).toISOString()
const HEADER: ArchiveLine = { _tag: 'Header', version: 2, exportedAt: 0, lastId: 5n }

/** `undefined` removes a member. */
const changed = (line: ArchiveLine, changes: Readonly<Record<string, unknown>>): string =>
  JSON.stringify({ ...(JSON.parse(archiveLineText(line)) as object), ...changes })

const RELAY: ArchiveLine = { _tag: 'Relay', position: 4, retry: [1, 3], hasSent: true }

describe('a line of an export', () => {
  it('is read back as it was written, on one line of its own', () => {
    fc.assert(
      fc.property(archiveLine(), (line) => {
        const text = archiveLineText(line)
        expect(text.indexOf('\n')).toBe(text.length - 1)
        expect(archiveLineFrom(text)).toStrictEqual(E.right(line))
      }),
    )
  })

  it.each<readonly [ArchiveLine, string]>([
    [
      HEADER,
      '{"kind":"header","format":"animal-store export","version":2,"exportedAt":"1970-01-01T00:00:00.000Z","log":"pets","lastId":5}',
    ],
    [RELAY, '{"kind":"relay","position":4,"retry":[1,3],"hasSent":true}'],
    [
      key({ name: O.some('shop') }),
      `{"kind":"apiKey","id":"aaaaaaaaaaa","scopes":["orders:read","pets:write","pets:read"],"hash":"${'f'.repeat(64)}",` +
        '"createdAt":"1970-01-01T00:00:04.000Z","lineage":"ccccccccccc","name":"shop",' +
        '"lastUsedAt":"1970-01-01T00:00:00.000Z"}',
    ],
    [
      biggest,
      '{"kind":"pet","pet":{"id":7,"name":"a \\"b\\"\\n","categoryId":9223372036854775807,"status":"sold"},' +
        '"event":{"id":"event-7","time":"1970-01-01T00:00:06.993Z","traceparent":"00-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa7-00f067aa0ba902b7-01"}}',
    ],
    [
      { _tag: 'PetCreated', ...petRecord(1, { name: 'x', categoryId: 0n }) },
      '{"kind":"pet","pet":{"id":1,"name":"x","categoryId":0},' +
        `"event":{"id":"event-1","time":"${iso(999)}","traceparent":"00-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa1-00f067aa0ba902b7-01"}}`,
    ],
    [
      { _tag: 'PetCreated', ...heldRecord(7, 'k') },
      expect.stringMatching(
        `^{"kind":"pet",.*,"idempotencyKey":{"lineage":"a","key":"k","expiresAt":"${iso(90_000)}"}}$`,
      ),
    ],
    [{ _tag: 'End', apiKeys: 1, records: 2 }, '{"kind":"end","apiKeys":1,"records":2}'],
  ])('is written in one form: line %#', (line, text) => {
    expect(archiveLineText(line).trimEnd()).toStrictEqual(text)
  })

  const TIME = 'must be a time like 2026-11-21T09:30:00Z'
  const ID = 'must be an integer from 1 to 9007199254740991'
  const KINDS = 'must be one of header, relay, apiKey, pet, end'
  const pet = { id: 1, name: 'x', categoryId: 1 }

  it.each<readonly [string, string]>([
    ['{"kind":"pet"', 'it is not well-formed: it ends too early'],
    ['[]', 'must be an object'],
    ['{}', '/kind: is required'],
    ['{"kind":"dog"}', `/kind: ${KINDS}`],
    ['{"kind":"toString"}', `/kind: ${KINDS}`],
    ['{"kind":"end"}', '/apiKeys: is required; /records: is required'],
    [changed(HEADER, { format: 'dump' }), '/format: must be one of animal-store export'],
    [changed(HEADER, { exportedAt: '2026-02-30T00:00:00.000Z' }), `/exportedAt: ${TIME}`],
    [changed(HEADER, { log: 'orders' }), '/log: must be one of pets'],
    [changed(HEADER, { lastId: '0' }), '/lastId: must be an integer from 0 to 9007199254740991, not a string'],
    [changed(key(), { id: undefined, lineage: undefined }), '/id: is required; /lineage: is required'],
    [changed(biggest, { pet: { ...pet, id: 0 } }), `/pet/id: ${ID}`],
    [changed(biggest, { pet: { ...pet, name: '' } }), '/pet/name: must have 1 to 256 characters'],
    [changed(RELAY, { position: -1 }), '/position: must be an integer from 0'],
  ])('is refused, with each fault: %s', (text, reason) => {
    expect(archiveLineFrom(text)).toStrictEqual(E.left(reason))
  })
})

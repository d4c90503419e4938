// Exports the contents of a store, line by line.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Ports } from '../../ports/index.js'
import type { Damage } from '../../ports/notice.js'
import type { Unavailable } from '../errors.js'
import { heldAt, type PetRecord } from '../pets/decide-add.js'
import { memberOf } from '../thrown.js'
import { archiveLineText, EXPORT_VERSION, LINE_OF } from './archive-line.js'

/** Numbers of what an export has, or an import has added. */
export type Counts = Readonly<Record<'apiKeys' | 'pets' | 'idempotencyKeys', number>>

export const withRecord = (counts: Counts, { idempotencyKey }: PetRecord): Counts => ({
  ...counts,
  pets: counts.pets + 1,
  idempotencyKeys: counts.idempotencyKeys + (O.isSome(idempotencyKey) ? 1 : 0),
})

export interface ExportPart {
  /** Whole lines. */
  readonly text: string
  /** Damaged records; these are left out. The store itself reports damaged API keys. */
  readonly damaged: readonly Damage[]
  /** Of this part and the previous ones. */
  readonly counts: Counts
}

/** The damaged record that made a call fail: see `damagedError`. */
const damageIn = ({ cause }: Unavailable) => memberOf(cause, 'damage') as Damage | undefined

/** Contains everything acknowledged before the call. A failure is the last part; the export is then incomplete. */
export const exportStore = ({
  archive,
  apiKeys,
  relay,
  clock,
}: Pick<Ports, 'archive' | 'apiKeys' | 'relay' | 'clock'>) =>
  async function* (): AsyncGenerator<E.Either<Unavailable, ExportPart>> {
    // before the pets, so that no event is lost; those sent meanwhile are sent again
    const [lastId, relayed, keys] = [await archive.lastId(), await relay.load(), await apiKeys.list()]
    // a damaged relay record does not stop the export, but then it is unknown which events were not sent
    const damage = E.isLeft(relayed) ? damageIn(relayed.left) : undefined
    if (E.isLeft(lastId)) {
      yield lastId
      return
    }
    if (E.isLeft(relayed) && damage === undefined) {
      yield relayed
      return
    }
    if (E.isLeft(keys)) {
      yield keys
      return
    }

    const now = clock.now()
    const lines = [
      archiveLineText({ _tag: 'Header', version: EXPORT_VERSION, exportedAt: now, lastId: lastId.right }),
      ...(E.isRight(relayed) && O.isSome(relayed.right)
        ? [archiveLineText({ _tag: 'Relay', ...relayed.right.value })]
        : []),
      ...keys.right.map((key) => archiveLineText({ _tag: 'ApiKey', key })),
    ]
    let counts: Counts = { apiKeys: keys.right.length, pets: 0, idempotencyKeys: 0 }
    yield E.right({ text: lines.join(''), damaged: damage === undefined ? [] : [damage], counts })

    for (let next: O.Option<bigint> = O.some(0n); O.isSome(next); ) {
      const page: Awaited<ReturnType<ReturnType<typeof archive.read>>> = await archive.read(next.value)()
      if (E.isLeft(page)) {
        yield page
        return
      }
      let text = ''
      for (const stored of page.right.records) {
        const record = { ...stored, idempotencyKey: heldAt(stored.idempotencyKey, now) }
        text += archiveLineText({ _tag: LINE_OF[record.event._tag], ...record })
        counts = withRecord(counts, record)
      }
      yield E.right({ text, damaged: page.right.damaged, counts })
      next = page.right.next
    }
    yield E.right({
      text: archiveLineText({ _tag: 'End', apiKeys: counts.apiKeys, records: counts.pets }),
      damaged: [],
      counts,
    })
  }

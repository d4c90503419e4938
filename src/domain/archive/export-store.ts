// Exports the contents of a store, line by line.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { ArchiveItem } from '../../ports/archive.js'
import type { Ports } from '../../ports/index.js'
import type { Damage } from '../../ports/notice.js'
import type { Unavailable } from '../errors.js'
import { memberOf } from '../thrown.js'
import { archiveLineText, EXPORT_VERSION } from './archive-line.js'
import { COUNTS, type Counts } from './archive-record.js'

export interface ExportPart {
  /** Whole lines. */
  readonly text: string
  /** Damaged records; these are left out. */
  readonly damaged: readonly Damage[]
  /** Number of records in this part and the previous ones. */
  readonly counts: Counts
}

/** The damaged record that made a call fail: see `damagedError`. */
const damageIn = ({ cause }: Unavailable) => memberOf(cause, 'damage') as Damage | undefined

/** Contains everything acknowledged before the call. A failure is the last part; the export is then incomplete. */
export const exportStore = ({ archive, relay, clock }: Pick<Ports, 'archive' | 'relay' | 'clock'>) =>
  async function* (): AsyncGenerator<E.Either<Unavailable, ExportPart>> {
    // before the pets, so that no event is lost; those sent meanwhile are sent again
    const record = await relay.load()
    // a damaged relay record does not stop the export, but then it is unknown which events were not sent
    const damage = E.isLeft(record) ? damageIn(record.left) : undefined
    if (E.isLeft(record) && damage === undefined) {
      yield record
      return
    }
    const counts = { apiKeys: 0, pets: 0, idempotencyKeys: 0 }
    const partOf = (text: string, damaged: readonly Damage[] = []): E.Either<Unavailable, ExportPart> =>
      E.right({ text, damaged, counts: { ...counts } })

    const lineOf = (item: ArchiveItem): string => {
      if (item._tag === 'Damaged') return ''
      if (item._tag !== 'StoreState') counts[COUNTS[item._tag]] += 1
      return archiveLineText(item)
    }

    const now = clock.now()
    yield partOf(archiveLineText({ _tag: 'Header', version: EXPORT_VERSION, exportedAt: now }))
    if (damage !== undefined) yield partOf('', [damage])
    if (E.isRight(record) && O.isSome(record.right)) {
      const { position, retry, hasSent } = record.right.value
      yield partOf(archiveLineText({ _tag: 'Relay', position, retry, hasSent }))
    }
    for await (const batch of archive.read(now)) {
      if (E.isLeft(batch)) {
        yield batch
        return
      }
      const damaged = batch.right.flatMap((item) => (item._tag === 'Damaged' ? [item.damage] : []))
      yield partOf(batch.right.map(lineOf).join(''), damaged)
    }
    yield partOf(archiveLineText({ _tag: 'End', ...counts }))
  }

// Writes down all that a store holds, line by line.
import * as E from 'fp-ts/lib/Either.js'
import type { ArchiveItem } from '../../ports/archive.js'
import type { Damage } from '../../ports/damage-report.js'
import type { Ports } from '../../ports/index.js'
import type { Unavailable } from '../errors.js'
import { type End, EXPORT_VERSION } from './archive-codecs.js'
import { archiveLineText } from './archive-line.js'

/** A part of an export. */
export interface ExportPart {
  /** Whole lines. */
  readonly text: string
  /** Records that cannot be decoded, and are left out. */
  readonly damaged: readonly Damage[]
  /** How many records this part and those before it hold. */
  readonly counts: Omit<End, '_tag'>
  /** About how many records there are in all. */
  readonly total: number
}

/** The parts in their order; a failure is the last one, and then the export is not whole. */
export type ExportStore = () => AsyncIterable<E.Either<Unavailable, ExportPart>>

const COUNTED = { ApiKey: 'apiKeys', Pet: 'pets', IdempotencyKey: 'idempotencyKeys' } as const

/**
 * Exports the store. What was acknowledged before the call is in the export; it may lack what is added meanwhile.
 *
 * @example
 * for await (const part of exportStore({ archive, clock: systemClock })()) if (E.isRight(part)) process.stdout.write(part.right.text)
 */
export const exportStore = ({ archive, clock }: Pick<Ports, 'archive' | 'clock'>): ExportStore =>
  async function* () {
    const size = await archive.size()
    if (E.isLeft(size)) {
      yield size
      return
    }
    const total = size.right
    const counts = { apiKeys: 0, pets: 0, idempotencyKeys: 0 }
    const partOf = (text: string, damaged: readonly Damage[] = []): E.Either<Unavailable, ExportPart> =>
      E.right({ text, damaged, counts: { ...counts }, total })

    const lineOf = (item: ArchiveItem): string => {
      if (item._tag === 'Damaged') return ''
      if (item._tag !== 'StoreState') counts[COUNTED[item._tag]] += 1
      return archiveLineText(item)
    }

    const now = clock.now()
    yield partOf(archiveLineText({ _tag: 'Header', version: EXPORT_VERSION, exportedAt: now, records: total }))
    for await (const batch of archive.read(now)) {
      if (E.isLeft(batch)) {
        yield batch
        return
      }
      const text = batch.right.map(lineOf).join('')
      yield partOf(
        text,
        batch.right.flatMap((item) => (item._tag === 'Damaged' ? [item.damage] : [])),
      )
    }
    yield partOf(archiveLineText({ _tag: 'End', ...counts }))
  }

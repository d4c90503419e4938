// The results of merging a record, in the same words for all stores.
import type { MergeResult } from '../../ports/archive.js'

export const ADDED: MergeResult = { _tag: 'Added' }
export const UNCHANGED: MergeResult = { _tag: 'Unchanged' }
export const UPDATED: MergeResult = { _tag: 'Updated' }
export const refused = (reason: string): MergeResult => ({ _tag: 'Refused', reason })
export const refusedAsDamaged = (reason: string): MergeResult => refused(`the stored record is damaged: ${reason}`)

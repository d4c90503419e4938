// Remembers the pages that are asked for again and again. No pet ever changes or leaves, so a page stays as it is until pets are added.
import * as O from 'fp-ts/lib/Option.js'
import { setWithin } from '../set-within.js'
import { type PetPage, type PetQuery, queryKey, remainingFilter } from './pet-query.js'

/** A page of the longest names takes 60 kB. */
const REMEMBERED_PAGES = 64

/** Returns the same page for an equal query as long as `version` is the same; undefined: the pets cannot all be read. */
export type PageMemory = (query: PetQuery, version: () => string | number | undefined, read: () => PetPage) => PetPage

/** For a store with one index for all pets and one for each status. */
export const makePageMemory = (): PageMemory => {
  const pages = new Map<string, { readonly version: string | number; readonly page: PetPage }>()
  return (query, version, read) => {
    if (O.isSome(remainingFilter(query, 'status'))) return read()
    const now = version()
    const key = queryKey(query)
    const known = pages.get(key)
    if (known !== undefined && known.version === now) return known.page
    const page = read()
    if (now === undefined || version() !== now) return page
    setWithin(pages, REMEMBERED_PAGES, key, { version: now, page })
    return page
  }
}

// Finds the routes of a path, and the values of its variable parts.
import { match } from 'path-to-regexp'
import type { PathRoutes } from '../path-routes.js'

interface Match {
  readonly target: PathRoutes
  readonly params: Readonly<Record<string, string>>
}

/** The text as sent if it is not well encoded. */
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

// strict and sensitive: `/PETS` and `/pets/` are not `/pets`
const STRICT = { sensitive: true, trailing: false, decode: decoded }

export const makeRouter = (paths: readonly PathRoutes[]): ((path: string) => Match | undefined) => {
  const exact = new Map(paths.map((target): [string, Match] => [target.path, { target, params: {} }]))
  const patterns = paths
    .filter(({ path }) => path.includes('{'))
    .map((target) => ({
      target,
      matches: match<Record<string, string>>(target.path.replaceAll(/\{(\w+)\}/g, ':$1'), STRICT),
    }))
  return (path) => {
    const known = exact.get(path)
    if (known !== undefined) return known
    for (const { target, matches } of patterns) {
      const found = matches(path)
      if (found !== false) return { target, params: found.params }
    }
    return undefined
  }
}

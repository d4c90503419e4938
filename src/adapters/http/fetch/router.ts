// Finds the routes of a path, and the values of its variable parts.
import { match } from 'path-to-regexp'
import { exactFirst, type Match, type PathRoutes, patternOf } from '../path-routes.js'

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

const routerOf = (paths: readonly PathRoutes[]): ((path: string) => Match | undefined) => {
  const patterns = paths.map((target) => ({
    target,
    matches: match<Record<string, string>>(patternOf(target), STRICT),
  }))
  return (path) => {
    for (const { target, matches } of patterns) {
      const found = matches(path)
      if (found !== false) return { target, params: found.params }
    }
    return undefined
  }
}

export const makeRouter = (paths: readonly PathRoutes[]): ((path: string) => Match | undefined) =>
  exactFirst(paths, routerOf)

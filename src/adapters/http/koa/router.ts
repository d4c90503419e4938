// Finds the routes of a path, and the values of its variable parts.
import Router from '@koa/router'
import type { PathRoutes } from '../path-routes.js'

export interface Match {
  readonly target: PathRoutes
  readonly params: Readonly<Record<string, string>>
}

const NO_PARAMS: Readonly<Record<string, string>> = {}

export const makeRouter = (paths: readonly PathRoutes[]): ((path: string) => Match | undefined) => {
  // strict and sensitive: `/PETS` and `/pets/` are not `/pets`
  const router = new Router({ strict: true, sensitive: true })
  const targets = new Map<unknown, PathRoutes>()
  // the library tries every pattern on every path, so paths without variable parts are looked up in a map
  const exact = new Map<string, Match>()
  for (const target of paths) {
    const pattern = target.path.replaceAll(/\{(\w+)\}/g, ':$1')
    if (pattern === target.path) exact.set(target.path, { target, params: NO_PARAMS })
    else router.all(pattern, () => {})
    targets.set(pattern, target)
  }
  return (path) => {
    const known = exact.get(path)
    if (known !== undefined) return known
    const [layer] = router.match(path, 'GET').path
    const target = targets.get(layer?.path)
    return layer === undefined || target === undefined
      ? undefined
      : { target, params: layer.params(path, layer.captures(path)) }
  }
}

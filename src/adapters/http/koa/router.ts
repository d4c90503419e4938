// Finds the routes of a path, and the values of its variable parts.
import Router from '@koa/router'
import { exactFirst, type Match, type PathRoutes, patternOf } from '../path-routes.js'

const routerOf = (paths: readonly PathRoutes[]): ((path: string) => Match | undefined) => {
  // strict and sensitive: `/PETS` and `/pets/` are not `/pets`
  const router = new Router({ strict: true, sensitive: true })
  const targets = new Map<unknown, PathRoutes>()
  for (const target of paths) {
    router.all(patternOf(target), () => {})
    targets.set(patternOf(target), target)
  }
  return (path) => {
    const [layer] = router.match(path, 'GET').path
    const target = targets.get(layer?.path)
    return layer === undefined || target === undefined
      ? undefined
      : { target, params: layer.params(path, layer.captures(path)) }
  }
}

export const makeRouter = (paths: readonly PathRoutes[]): ((path: string) => Match | undefined) =>
  exactFirst(paths, routerOf)

// Paths as logs may show them.

/** A whole API key, or a secret alone, that was sent in the path by mistake. */
const SECRET = /ast_live_|\w{40}/i
const MAX_LENGTH = 200

/** Without anything that authenticates, and without bytes that a terminal might obey. */
export const shownPath = (path: string): string =>
  SECRET.test(path) ? '(a path that is not shown)' : path.slice(0, MAX_LENGTH).replaceAll(/[^!-~]/g, '?')

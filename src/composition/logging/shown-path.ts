// The form of paths in the log.

/** A whole API key or a secret that was sent in the path by mistake. */
const SECRET = /ast_live_|\w{40}/i
const MAX_LENGTH = 200

/** Hides paths with secrets, and replaces control characters, which a terminal might execute. */
export const shownPath = (path: string): string =>
  SECRET.test(path) ? '(a path that is not shown)' : path.slice(0, MAX_LENGTH).replaceAll(/[^!-~]/g, '?')

// The form of paths in the log.
import { mayHoldSecret } from '../../domain/api-keys/api-key-text.js'

const MAX_LENGTH = 200

/** Hides paths with secrets, and replaces control characters, which a terminal might execute. */
export const shownPath = (path: string): string =>
  mayHoldSecret(path) ? '(a path that is not shown)' : path.slice(0, MAX_LENGTH).replaceAll(/[^!-~]/g, '?')

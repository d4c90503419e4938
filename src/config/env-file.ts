// Reads the file .env: each line is a variable, a comment or blank. Refuses anything ambiguous.

import { lstatSync, readFileSync } from 'node:fs'
import * as E from 'fp-ts/lib/Either.js'
import { asError } from '../domain/thrown.js'
import { hintsAbout, VARIABLES } from './misspelt.js'

interface EnvFile {
  /** By name: settings, and the variables of others that `PASSED_ON` names. */
  readonly values: ReadonlyMap<string, string>
  /** One line per other name, without its value. */
  readonly hints: readonly string[]
}

/** Variables of OpenTelemetry and Node. Others could change how Node works, such as NODE_TLS_REJECT_UNAUTHORIZED. */
const PASSED_ON = /^(?:OTEL_\w+|NODE_EXTRA_CA_CERTS)$/

const NAMED = /^[ \t]*(?:export[ \t]+)?([A-Za-z_][\w.-]*)[ \t]*=(.*)$/
const COMMENT = /^[ \t]*(?:#.*)?$/
/** Only forms that Node.js, docker compose and shells read in the same way. */
const QUOTED = /^(?:'([^']*)'|"([^"\\$`]*)")(?:[ \t]+#.*)?$/
const UNQUOTED = /^(?:([^\s#'"`$](?:[^#'"`$]*[^\s#'"`$])?)(?:[ \t]+#.*)?|#.*)?$/

/** Undefined if the value is ambiguous. */
const valueIn = (given: string): string | undefined => {
  const text = given.trim()
  const quoted = QUOTED.exec(text)
  if (quoted !== null) return quoted[1] ?? quoted[2]
  const unquoted = given.startsWith('#') ? null : UNQUOTED.exec(text)
  return unquoted === null ? undefined : (unquoted[1] ?? '')
}

/** Decodes a line, given as Latin-1: UTF-8 without control characters. Skips a byte order mark at the start. */
const textOf = (bytes: string, at: number): string | undefined => {
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: at > 0 })
    const text = decoder.decode(Buffer.from(bytes, 'latin1')).replace(/\r$/, '')
    return /(?!\t)[\p{Cc}\p{Zl}\p{Zp}]/u.test(text) ? undefined : text
  } catch {
    // the caller names the line
    return undefined
  }
}

/** The variables of the file, or one line per problem; problems never quote values. */
export const readEnvFile = (bytes: Buffer): E.Either<readonly string[], EnvFile> => {
  const values = new Map<string, string>()
  const [hints, problems]: readonly [string[], string[]] = [[], []]
  for (const [at, line] of bytes.toString('latin1').split('\n').entries()) {
    const place = `.env: line ${at + 1}: `
    const text = textOf(line, at)
    // stops here, because in another encoding every line would be a problem
    if (text === undefined) return E.left([...problems, `${place}wanted text in UTF-8, without control characters`])
    if (COMMENT.test(text)) continue
    const [, name, given = ''] = NAMED.exec(text) ?? []
    if (name === undefined) {
      problems.push(`${place}wanted NAME=value, a comment or nothing`)
      continue
    }
    const value = valueIn(given)
    if (!VARIABLES.has(name)) {
      const [hint = `${name} is no setting and is ignored`] = hintsAbout(name)
      if (!PASSED_ON.test(name)) hints.push(`${place}${hint}`)
      else if (value !== undefined) values.set(name, value)
      continue
    }
    if (value === undefined) problems.push(`${place}${name}: wanted a plain value, or one in single quotes`)
    else if (values.has(name)) problems.push(`${place}${name}: wanted nothing, because an earlier line sets it`)
    else values.set(name, value)
  }
  return problems.length > 0 ? E.left(problems) : E.right({ values, hints })
}

/** The variables of the file at this path; none if there is no file. */
export const openEnvFile = (path: string): E.Either<readonly string[], EnvFile> => {
  try {
    // lstat, so that a dangling link is an error instead of an absent file
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return E.right({ values: new Map(), hints: [] })
    return readEnvFile(readFileSync(path))
  } catch (error) {
    return E.left([`.env: cannot be read: ${asError(error).message}`])
  }
}

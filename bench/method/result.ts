// What a scenario measured and where: the file from which every published table is made.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { pathOf } from './paths.js'

/** One line of figures; the name of each figure ends with its unit. */
export interface Row {
  /** What was done: `list`, `create, 32 connections`. */
  readonly case: string
  /** Who did it. */
  readonly server: string
  readonly values: Readonly<Record<string, number>>
}

export interface Result {
  readonly scenario: string
  /** True if the rounds were too few or too short for figures that repeat. */
  readonly quick: boolean
  readonly date: string
  readonly commit: string
  readonly machine: { readonly cpu: string; readonly cores: number; readonly memoryGiB: number; readonly os: string }
  readonly versions: Readonly<Record<string, string>>
  readonly method: { readonly rounds: number; readonly roundMs: number; readonly pinned: boolean }
  readonly rows: readonly Row[]
}

const fileOf = (scenario: string): string => pathOf(`bench/results/${scenario}.json`)

export const writeResult = (result: Result): void =>
  writeFileSync(fileOf(result.scenario), `${JSON.stringify(result, null, 2)}\n`)

/** The committed result; undefined if there is none. */
export const readResult = (scenario: string): Result | undefined => {
  const file = fileOf(scenario)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Result) : undefined
}

/** A figure of a result; NaN if it was not measured. */
export const figureOf = ({ rows }: Pick<Result, 'rows'>, name: string, server: string, value: string): number =>
  rows.find((row) => row.case === name && row.server === server)?.values[value] ?? Number.NaN

// What a scenario measures: every published table is made of such rows.

/** The name of each figure ends with its unit. */
export interface Row {
  /** What was done: `list`, `create, 32 connections`. */
  readonly case: string
  /** Who did it. */
  readonly server: string
  readonly values: Readonly<Record<string, number>>
}

/** NaN if it was not measured. */
export const figureOf = (rows: readonly Row[], name: string, server: string, value: string): number =>
  rows.find((row) => row.case === name && row.server === server)?.values[value] ?? Number.NaN

// The measurements of a scenario. Every published table consists of such rows.

/** The name of each figure ends with its unit. */
export interface Row {
  /** Such as `list` or `create, 32 connections`. */
  readonly case: string
  readonly server: string
  readonly values: Readonly<Record<string, number>>
}

/** NaN if the figure was not measured. */
export const figureOf = (rows: readonly Row[], name: string, server: string, value: string): number =>
  rows.find((row) => row.case === name && row.server === server)?.values[value] ?? Number.NaN

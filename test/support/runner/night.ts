// What the gate runs in short, .ci/nightly runs in full.

/** Set by .ci/nightly. Bounds in milliseconds and mebibytes, which depend on what else the machine does, hold only then. */
export const isNight = process.env['NIGHTLY'] === '1'

export const byNight = <A>(night: A, gate: A): A => (isNight ? night : gate)

/** An upper bound in milliseconds: a busy machine exceeds any. */
export const boundMs = (limit: number): number => byNight(limit, Number.POSITIVE_INFINITY)

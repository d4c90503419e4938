// The gate runs short versions; .ci/nightly runs the full ones.

/** Set by .ci/nightly. Bounds on time and memory, which depend on the load of the machine, apply only then. */
export const isNight = process.env['NIGHTLY'] === '1'

export const byNight = <A>(night: A, gate: A): A => (isNight ? night : gate)

/** An upper bound, which only applies at night: a busy machine exceeds any. */
export const boundMs = (limit: number): number => byNight(limit, Number.POSITIVE_INFINITY)

// Reads whose result must outlive a failover.

/**
 * For reads that find out whether an insert took place, or which pet holds an idempotency key. A local read may return a pet
 * that its primary has not replicated yet, and that a failover would remove. A majority read does not return such a pet. If
 * it misses one, no harm is done: the unique index refuses the following insert, the refusal waits for a majority like any
 * write, and the next majority read on that primary finds the conflicting pet. A linearizable read would add nothing, would
 * cost a write, and needs a replica set.
 */
export const DURABLE_READ = { readConcern: 'majority' } as const

// Reads whose result must outlive a failover.

/**
 * Options of a read that tells what became of an insert, or which pet holds an idempotency key. A local read may find a
 * pet that its primary has not replicated yet; the answer would name a pet that a failover removes. A majority read finds
 * no such pet. What it misses does no harm: the unique index refuses the insert that follows, the refusal waits for a
 * majority like any write, and so the next majority read on that primary finds what the insert collided with. A
 * linearizable read would add nothing to that, would cost a write of its own, and needs a replica set.
 */
export const DURABLE_READ = { readConcern: 'majority' } as const

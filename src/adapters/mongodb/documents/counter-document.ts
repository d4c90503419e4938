// The document that all instances share: the counter of ids, and whether the store is relayed.
export interface CounterDocument {
  readonly _id: string
  /** The last id that was drawn. */
  readonly last: bigint
  /** Set by every instance that relays events. All instances queue events from then on. */
  readonly isRelayed?: boolean
}

export const COUNTER = 'pets'

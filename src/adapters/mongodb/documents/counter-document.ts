// The one document that all instances share: the counter of ids, and whether the store has a relay.
export interface CounterDocument {
  readonly _id: string
  /** The last id that was given. */
  readonly last: bigint
  /** Set by every instance that relays events: from then on all instances queue them. */
  readonly isRelayed?: boolean
}

export const COUNTER = 'pets'

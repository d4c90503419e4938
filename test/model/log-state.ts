// The state of the log's model, and the rules that its probes change. A record is one letter: a pet by the name of its
// create, `i` imported, `v` void, `-` part of a recorded leap, `.` nothing.
import { collector, type Database, type DatabaseRules } from './database.js'

export interface LogRules extends DatabaseRules {
  /** A reader with new records waits for nothing, a journaled write, or one on the server that it read from. */
  readonly awaits: 'nothing' | 'journal' | 'journal of the same server'
  /** Readers close gaps below any head ever seen, below a head older than all creates under way, or everywhere. */
  readonly closes: 'below any head' | 'below an old head' | 'to the end'
  /** Readers pass gaps instead of closing them. */
  readonly passesGaps: boolean
  /** A reader that continues inside `given` passes whatever its read does not show. */
  readonly passesUnseen: boolean
  /** A refused create waits until the record under its id is durable. */
  readonly refusedWait: boolean
  /** A read may end at an id that a leap skips. */
  readonly endsInLeap: boolean
  /** A create may use an id that a leap skips. */
  readonly drawsIntoLeaps: boolean
  /** An operator drops the counter or sets it back while inserts are under way. */
  readonly losesCounterAtWork: boolean
  /** A counter that catches up with the records records a leap. */
  readonly leapsWhenCatchingUp: boolean
}

export interface LogBounds {
  readonly creates: number
  /** How many processes read at a time. */
  readonly readers: number
  readonly ids: number
  /** Ids that one create may lose to voids: it draws at most three. Not counted if gaps close below any head. */
  readonly mayLose: number
  /** Elections or server crashes. */
  readonly failures: number
  readonly imports: number
  /** Times that an operator drops the counter or sets it back. */
  readonly counterLosses: number
}

export interface Contents {
  readonly records: string
  readonly counter: number
}

export interface Create {
  readonly phase: 'idle' | 'drawing' | 'sent' | 'refused' | 'answered' | 'gone'
  readonly id: number
  /** The greatest id answered before the create began; -1 before that. */
  readonly floor: number
  readonly losses: number
}

/** Records that a reader found above `given`, and that it gives out once the journal has them. */
export interface Read {
  readonly found: string
  /** Where the reader continued. */
  readonly after: number
  /** Writes that were not durable at the time of the read. */
  readonly unsynced: number
  readonly isSameServer: boolean
}

/** A head, and the creates that were under way when it was sampled, with their ids. */
export interface Sample {
  readonly head: number
  readonly underWay: string
}

export interface LogState {
  readonly database: Database<Contents>
  readonly creates: readonly Create[]
  /** Inserts in flight, such as `a1`. Each may arrive at any time and repeatedly, even after its create gave up. */
  readonly inserts: readonly string[]
  /** Everything that readers were given: it is final. Any number of readers continue anywhere in it. */
  readonly given: string
  readonly reads: readonly Read[]
  readonly samples: readonly Sample[]
  /** The greatest head that anyone may have seen, even if a failure took it back. */
  readonly peak: number
  readonly failures: number
  readonly imports: number
  readonly counterLosses: number
  /** The id to which a running import has raised the counter, or 0. */
  readonly importing: number
}

export const initialOf = ({ creates, ids, failures, imports, counterLosses }: LogBounds): LogState => ({
  database: { durable: { records: '.'.repeat(ids), counter: 0 }, tail: [] },
  creates: Array.from({ length: creates }, () => ({ phase: 'idle', id: 0, floor: -1, losses: 0 })),
  inserts: [],
  given: '',
  reads: [],
  samples: [],
  peak: 0,
  failures,
  imports,
  counterLosses,
  importing: 0,
})

export const at = (records: string, id: number): string => records[id - 1] ?? '.'
export const isFree = (records: string, id: number): boolean => '.-'.includes(at(records, id))
export const highest = (records: string): number => records.search(/[^.-][.-]*$/) + 1
export const put = (records: string, id: number, record: string): string =>
  records.slice(0, id - 1) + record + records.slice(id)

export const nameOf = (create: number): string => 'abc'.charAt(create)
export const isUnderWay = ({ phase }: Create): boolean => ['drawing', 'sent', 'refused'].includes(phase)

export const change = <A>(list: readonly A[], index: number, changes: Partial<A>): readonly A[] =>
  list.map((one, each) => (each === index ? { ...one, ...changes } : one))

export const collect = (state: LogState, rules: LogRules) =>
  collector<Contents, LogState>(state, rules, ({ counter }) => ({
    peak: rules.reads === 'local' ? Math.max(state.peak, counter) : state.peak,
  }))

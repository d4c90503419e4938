// One command of a longer task.
import { repeatTransient } from '../connection/repeat-transient.js'

/** Time limit for repeating an interrupted command, from its first start. */
const REPEAT_WITHIN_MS = 10_000

/** Runs the command, and repeats it after a transient error. It must be safe to repeat. */
export const step = <A>(command: () => Promise<A>): Promise<A> => repeatTransient(command, REPEAT_WITHIN_MS)

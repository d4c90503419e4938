// One command of a longer task.
import { repeatTransient } from '../connection/repeat-transient.js'

/** How late after its start a command that is interrupted is run again, in milliseconds. */
const REPEAT_WITHIN_MS = 10_000

/** Runs the command, and again after a transient error: it must be safe to repeat. */
export const step = <A>(command: () => Promise<A>): Promise<A> => repeatTransient(command, REPEAT_WITHIN_MS)

// The processor time of the database, if DATABASE_PID names its process (Linux).
import { readFileSync } from 'node:fs'

/** A tick of /proc/PID/stat. */
const TICK_MICROS = 10_000

/** Microseconds of user and system time since its start; NaN if it is unknown. */
export const databaseCpuMicros = (): number => {
  const pid = process.env['DATABASE_PID']
  if (pid === undefined) return Number.NaN
  // after the name, which may contain blanks: the state is field 3, utime 14 and stime 15
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MICROS
}

// Reads the status of a process from /proc (Linux only).
import { readFileSync, writeFileSync } from 'node:fs'

const memoryOf = (pid: number, field: 'VmRSS' | 'VmHWM'): number => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const kibibytes = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]
  if (kibibytes === undefined) throw new Error(`/proc/${pid}/status has no ${field}`)
  return Number(kibibytes) / 1_024
}

export const residentMiB = (pid: number): number => memoryOf(pid, 'VmRSS')

/** The largest resident memory since `resetPeak`, in MiB. */
export const peakMiB = (pid: number): number => memoryOf(pid, 'VmHWM')

/** Starts a new measurement of the peak (proc(5), clear_refs). */
export const resetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5')

/** CPU time of the process in ticks of 10 ms (proc(5), stat: utime and stime). */
export const cpuTicks = (pid: number): number => {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const [user, system] = fields.split(' ').slice(11)
  return Number(user) + Number(system)
}

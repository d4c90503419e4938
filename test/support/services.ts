// What a test may need from the machine, found or started once a run; what is missing is missing for a reason that is told.
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { getContainerRuntimeClient } from 'testcontainers'
import type { TestProject } from 'vitest/node'
import { startMongodb, startNats } from './containers.js'
import { mountSmallDisk } from './tmpfs.js'

/** `address` is where the service is (a URI, a host or a program's path); `missing` is why it is not there. */
export type Service = { readonly address: string } | { readonly missing: string }
export type Need = 'engine' | 'mongodb' | 'nats' | 'chromium' | 'strace' | 'tmpfs'

declare module 'vitest' {
  export interface ProvidedContext {
    services: Readonly<Record<Need, Service>>
  }
}

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const program = (...names: readonly string[]): Service => {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const found = names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable)
  return found === undefined ? { missing: `no ${names.join(' or ')} in PATH` } : { address: found }
}

const engine = async (): Promise<Service> => {
  try {
    const client = await getContainerRuntimeClient()
    return { address: client.info.containerRuntime.host }
  } catch {
    return { missing: 'no container engine' }
  }
}

const tmpfs = async (): Promise<Service> => {
  try {
    await (await mountSmallDisk('64k')).unmount()
    return { address: 'tmpfs' }
  } catch {
    return { missing: 'mounting a tmpfs is not permitted here' }
  }
}

type Stop = () => Promise<unknown>

/** Starts the services of this run for vitest, and stops them after it. */
export default async (project: TestProject): Promise<Stop> => {
  const stops: Stop[] = []
  const found = await engine()

  const server = async (variable: string, start: typeof startMongodb): Promise<Service> => {
    const given = process.env[variable]
    if (given !== undefined && given !== '') return { address: given }
    if ('missing' in found) return { missing: `${found.missing}, and ${variable} is not set` }
    try {
      const { address, stop } = await start()
      stops.push(stop)
      return { address }
    } catch (error) {
      return { missing: `its container did not start: ${String(error)}` }
    }
  }

  const [mongodb, nats] = await Promise.all([
    server('MONGODB_TEST_URI', startMongodb),
    server('NATS_TEST_URL', startNats),
  ])
  const chromium = program('chromium', 'chromium-browser', 'google-chrome')
  const small = await tmpfs()
  project.provide('services', { engine: found, mongodb, nats, chromium, strace: program('strace'), tmpfs: small })
  return () => Promise.all(stops.map((stop) => stop()))
}

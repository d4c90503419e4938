// Services that tests need: found or started once per run, or missing with a reason.
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { getContainerRuntimeClient } from 'testcontainers'
import type { TestProject } from 'vitest/node'
import { startMongodb, startNats } from './containers.js'
import { mountSmallDisk } from './tmpfs.js'

/** `address` is a URI or the path of a program. */
export type Service = { readonly address: string } | { readonly missing: string }
/** Tests share the servers `mongodb` and `nats`; with `…-container` a test can start its own. */
export type Need =
  | 'mongodb'
  | 'nats'
  | 'mongodb-container'
  | 'nats-container'
  | 'chromium'
  | 'curl'
  | 'docker'
  | 'gcc'
  | 'promtool'
  | 'python3'
  | 'strace'
  | 'systemd-analyze'
  | 'nginx'
  | 'tmpfs'

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

const hasEngine = (): Promise<boolean> =>
  getContainerRuntimeClient().then(
    () => true,
    () => false,
  )

const tmpfs = async (): Promise<Service> => {
  try {
    await (await mountSmallDisk('64k')).unmount()
    return { address: 'tmpfs' }
  } catch {
    return { missing: 'mounting a tmpfs is not permitted here' }
  }
}

type Stop = () => Promise<unknown>

export default async (project: TestProject): Promise<Stop> => {
  const stops: Stop[] = []
  const engine = await hasEngine()

  // only a running container proves that its image is available
  const startContainer = async (start: typeof startMongodb, name: string, variables: string): Promise<Service> => {
    if (!engine) return { missing: 'no container engine' }
    try {
      const { address, stop } = await start()
      stops.push(stop)
      return { address }
    } catch (error) {
      return { missing: `the container of ${name} did not start (${variables}): ${String(error)}` }
    }
  }
  const sharedServer = (variable: string, container: Service): Service => {
    const given = process.env[variable]
    return given === undefined || given === '' ? container : { address: given }
  }

  const [mongodb, nats] = await Promise.all([
    startContainer(
      startMongodb,
      'MongoDB',
      'MONGO_IMAGE selects another image, MONGODB_TEST_URI a server for most suites',
    ),
    startContainer(startNats, 'NATS', 'NATS_IMAGE selects another image, NATS_TEST_URL a server for most suites'),
  ])
  project.provide('services', {
    mongodb: sharedServer('MONGODB_TEST_URI', mongodb),
    nats: sharedServer('NATS_TEST_URL', nats),
    'mongodb-container': mongodb,
    'nats-container': nats,
    chromium: program('chromium', 'chromium-browser', 'google-chrome'),
    curl: program('curl'),
    docker: program('docker'),
    gcc: program('gcc', 'cc'),
    python3: program('python3'),
    promtool: program('promtool'),
    strace: program('strace'),
    'systemd-analyze': program('systemd-analyze'),
    nginx: program('nginx'),
    tmpfs: await tmpfs(),
  })
  return () => Promise.all(stops.map((stop) => stop()))
}

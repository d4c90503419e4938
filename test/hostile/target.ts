// A service process to attack, with an honest client and everything that an attack opens.
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Call, client } from '../support/http/client.js'
import { launchSocket } from '../support/http/raw.js'
import { BUILT, type CliProcess, type Environment, launchCli, launchProcess } from '../support/processes/cli-process.js'
import { issueKey } from '../support/processes/service-process.js'

export interface Target {
  readonly port: number
  /** The attacker's key, with all scopes. */
  readonly key: string
  /** Calls of an honest client, with its own key; a store in memory has only one key. */
  readonly call: Call
  /** A connection of the attacker. It is reset after the attack. */
  readonly open: () => Promise<Socket>
  readonly endAttack: () => Promise<void>
  readonly service: CliProcess
  /** Ends the attack, and removes the process and its data. */
  readonly remove: () => Promise<void>
}

const SETTINGS: Environment = { PORT: '0', DRAIN_SECONDS: '0', SHUTDOWN_SECONDS: '60' }

/** Attackers reset their connections, so that they do not affect the next attack. */
const trackSockets = (port: number): Pick<Target, 'open' | 'endAttack'> => {
  const sockets = new Set<Socket>()
  return {
    open: async () => {
      const socket = await launchSocket(port)
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
      return socket
    },
    endAttack: async () => {
      await Promise.all(
        [...sockets].map((socket) => {
          const closed = once(socket, 'close')
          socket.resetAndDestroy()
          return closed
        }),
      )
    },
  }
}

/** An image to attack instead of the build, within the limits of a small container. */
const IMAGE = process.env['HOSTILE_IMAGE']
const LIMITS = ['--memory', '512m', '--memory-swap', '512m', '--cpus', '1']

/** The service in a container, on the network of the host; its main process is visible there too. */
const launchContainer = async (image: string, directory: string, settings: Environment): Promise<CliProcess> => {
  const name = `animal-store-hostile-${randomUUID()}`
  const variables = Object.entries({ HOST: '127.0.0.1', ...settings }).flatMap(([key, value]) => [
    '-e',
    `${key}=${value}`,
  ])
  const user = ['--user', `${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`]
  const place = ['--network', 'host', '--volume', `${directory}:${directory}`, ...user]
  const words = ['run', '--rm', '--name', name, ...LIMITS, ...place, ...variables, image, 'serve']
  const attached = launchProcess('docker', words, process.env)
  await attached.find(/"msg":"listening"/)
  const docker = async (...more: readonly string[]) => (await promisify(execFile)('docker', more)).stdout
  const pid = Number(await docker('inspect', '--format', '{{.State.Pid}}', name))
  const signal = (which: NodeJS.Signals): void => void docker('kill', '--signal', which, name).catch(() => undefined)
  const end = (which: NodeJS.Signals): Promise<number | null> => {
    signal(which)
    return attached.exit
  }
  return { ...attached, pid, signal, end }
}

/** Starts the service, in memory unless the settings name another store, and waits until it listens. The caller has to remove it. */
export const launchTarget = async (given: Environment): Promise<Target> => {
  const directory = await mkdtemp(join(tmpdir(), 'animal-store-hostile-'))
  const settings = { ...SETTINGS, STORE: 'memory', DATA_DIR: directory, ...given }
  const isInMemory = settings.STORE === 'memory'
  const issued = isInMemory ? [] : [await issueKey(settings), await issueKey(settings)]
  const service =
    IMAGE === undefined ? launchCli(BUILT, settings, 'serve') : await launchContainer(IMAGE, directory, settings)
  const url = await service.find(/"url":"(http:[^"]+)"[^\n]*"msg":"listening"/)
  const key = issued[0] ?? (await service.find(/(ast_live_\w+)\n/))
  const port = Number(new URL(url).port)
  const attacker = trackSockets(port)
  return {
    port,
    key,
    call: client(url, issued[1] ?? key),
    ...attacker,
    service,
    remove: async () => {
      await attacker.endAttack()
      await service.end('SIGKILL')
      await rm(directory, { recursive: true })
    },
  }
}

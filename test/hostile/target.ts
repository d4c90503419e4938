// A service process to attack, with an honest client and the attacker's connections.
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { client } from '../support/http/client.js'
import { launchSocket } from '../support/http/raw.js'
import { BUILT, type CliProcess, type Environment, launchCli, launchProcess } from '../support/processes/cli-process.js'
import { issueKey } from '../support/processes/service-process.js'

const SETTINGS: Environment = { PORT: '0', DRAIN_SECONDS: '0', SHUTDOWN_SECONDS: '60' }

/** The attacker's connections are reset after each attack, so that they do not affect the next one. */
const trackSockets = (port: number) => {
  const sockets = new Set<Socket>()
  const open = async (): Promise<Socket> => {
    const socket = await launchSocket(port)
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    return socket
  }
  const reset = (socket: Socket): Promise<unknown> => {
    const closed = once(socket, 'close')
    socket.resetAndDestroy()
    return closed
  }
  return { open, endAttack: async () => void (await Promise.all([...sockets].map(reset))) }
}

/** An image to attack instead of the build, with the limits of a small container. */
const IMAGE = process.env['HOSTILE_IMAGE']
const LIMITS = ['--memory', '512m', '--memory-swap', '512m', '--cpus', '1']

/** Uses the host's network; the main process is visible on the host too. */
const launchContainer = async (image: string, directory: string, settings: Environment): Promise<CliProcess> => {
  const name = `animal-store-hostile-${randomUUID()}`
  const given = Object.entries({ HOST: '127.0.0.1', ...settings })
  const variables = given.flatMap(([key, value]) => ['-e', `${key}=${value}`])
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

/**
 * `key` is the attacker's, with all scopes. `call` uses another key, except with the memory store, which has only one.
 * The caller must remove the target.
 */
export const launchTarget = async (given: Environment) => {
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
  const remove = async (): Promise<void> => {
    await attacker.endAttack()
    await service.end('SIGKILL')
    await rm(directory, { recursive: true })
  }
  return { port, key, call: client(url, issued[1] ?? key), ...attacker, service, remove }
}

export type Target = Awaited<ReturnType<typeof launchTarget>>

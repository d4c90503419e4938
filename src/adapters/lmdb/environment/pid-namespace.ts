// Refuses a folder that processes in another PID namespace use, such as those of another container. LMDB identifies processes
// and threads by their ids: equal ids in two namespaces block each other's reads, and a kill could release another's lock.
// Each opener listens on a socket in the folder, because the kernel ends that with its process, however the process ends.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { constants, readlinkSync } from 'node:fs'
import { type FileHandle, open, readdir, rename, rm } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { toError } from 'fp-ts/lib/Either.js'
import type { Notify } from '../../../ports/notice.js'

/** The number of the namespace, then a random part for each opener. */
const SOCKET = /^process-(\d+)-[\da-f]{16}$/

/** The errors of a connection if nobody listens. Any other error, such as one of a security policy, means that somebody does. */
const DEAD: readonly unknown[] = ['ECONNREFUSED', 'ENOENT']

const IN_USE =
  "another container, or its host, is using the folder, and LMDB's locks do not hold across PID namespaces: use docker exec, " +
  'or share its namespace with docker run --pid=container:NAME, or stop it first'

/** Unique among the namespaces of a running system. Where there is no /proc, all processes count as being in one namespace. */
const ownNamespace = (): string => {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0'
  } catch {
    // there is no /proc
    return '0'
  }
}

const isAlive = async (path: string): Promise<boolean> => {
  const socket = connect(path)
  try {
    await once(socket, 'connect')
    return true
  } catch (error) {
    return !(error instanceof Error && 'code' in error && DEAD.includes(error.code))
  } finally {
    socket.destroy()
  }
}

const listenOn = async (path: string): Promise<Server> => {
  const server = createServer((socket) => socket.destroy())
  // the folder keeps other users out; root may have to judge a socket of the user, and the user one of root
  server.listen({ path, exclusive: true, readableAll: true, writableAll: true })
  await once(server, 'listening')
  return server.unref()
}

/** The path of a socket may have 107 bytes only, so it begins at the open folder. */
const pathIn = (folder: FileHandle, name: string): string => `/proc/self/fd/${folder.fd}/${name}`

const checkOthers = async (directory: string, folder: FileHandle, own: string, options: Options): Promise<void> => {
  for (const name of await readdir(directory)) {
    const owner = SOCKET.exec(name)?.[1]
    if (owner === undefined || name === own) continue
    // the socket of a process that is gone harms nobody, so it may stay if this user must not remove it
    if (!(await isAlive(pathIn(folder, name)))) await rm(join(directory, name), { force: true }).catch(() => {})
    else if (owner !== options.namespace) throw new Error(IN_USE)
    else if (options.isAlone === true) throw new Error('another process is using the folder: stop it first')
  }
}

interface Options {
  readonly namespace?: string | undefined
  /** Whether to refuse a folder that any process uses; on Linux only. */
  readonly isAlone?: boolean
}

/**
 * Returns a function that leaves the folder. Rejects if a process in another namespace is in it. Of two that enter at the same
 * time, at least one sees the other, because each announces itself before it looks.
 */
export const enterFolder = async (
  directory: string,
  notify: Notify,
  { namespace = ownNamespace(), isAlone = false }: Options = {},
): Promise<() => Promise<void>> => {
  // only Linux has these namespaces
  if (process.platform !== 'linux') return async () => {}
  const folder = await open(directory, constants.O_RDONLY | constants.O_DIRECTORY)
  const name = `process-${namespace}-${randomBytes(8).toString('hex')}`
  let server: Server | undefined
  const leave = async (): Promise<void> => {
    server?.close()
    await rm(join(directory, name), { force: true })
  }
  try {
    // the name appears only once somebody listens: one that nobody listens on is stale
    server = await listenOn(pathIn(folder, `${name}.new`))
    await rename(join(directory, `${name}.new`), join(directory, name))
  } catch (error) {
    const message = 'the data folder cannot hold a socket: processes in other containers are not kept from using it'
    notify({ level: 'warn', message, details: { directory, reason: toError(error).message } })
  }
  try {
    await checkOthers(directory, folder, name, { namespace, isAlone })
    return leave
  } catch (error) {
    await leave()
    throw error
  } finally {
    await folder.close()
  }
}

export const whileIn = async <A>(directory: string, job: () => Promise<A>): Promise<A> => {
  const leave = await enterFolder(directory, () => {})
  try {
    return await job()
  } finally {
    await leave()
  }
}

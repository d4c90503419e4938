// A PostgreSQL server in a temporary folder, for the tests.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'

/** PostgreSQL refuses to run as root, so root runs it as `nobody`. */
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined

/** In PATH, or in Debian's folder for each version. */
const program = (name: string): string => {
  const find = `command -v ${name} || ls /usr/lib/postgresql/*/bin/${name} | tail -n 1`
  const found = execFileSync('sh', ['-c', find], { encoding: 'utf8' }).trim()
  if (found === '') throw new Error(`PostgreSQL is not installed: there is no ${name}`)
  return found
}

export const connect = async (config: pg.ClientConfig): Promise<pg.Client> => {
  const client = new pg.Client(config)
  await client.connect()
  return client
}

export const startServer = async () => {
  // short, because the path of a socket has at most 107 bytes. A socket needs no free port
  const folder = mkdtempSync('/tmp/pg-')
  if (user !== undefined) chownSync(folder, user.uid, user.gid)
  const here = { ...user, cwd: folder }
  execFileSync(program('initdb'), ['-D', folder, '-U', 'pets', '-E', 'UTF8', '-A', 'trust', '--no-sync'], here)
  const config: pg.PoolConfig = { host: folder, user: 'pets', database: 'postgres' }
  // -F, because the kernel's data survives a killed process, so that no test waits for the disk
  const options = ['-D', folder, '-k', folder, '-h', '', '-F', '-N', '300']
  // not the default, so that a store that relies on the default fails
  const launch = () =>
    spawn(program('postgres'), [...options, '-c', 'default_transaction_isolation=repeatable read'], here)
  let server = launch()
  let places = 0

  const query = async (sql: string): Promise<void> => {
    const client = await connect(config)
    await client.query(sql).finally(() => client.end())
  }

  const isReady = async (): Promise<void> => {
    for (const deadline = performance.now() + 20_000; ; await pause(50)) {
      const error = await query('SELECT').catch((error: unknown) => error)
      if (error === undefined) return
      if (performance.now() > deadline) throw error
      // after a kill, the server refuses to start until the last of its processes has ended
      if (server.exitCode !== null) server = launch()
    }
  }

  const end = async (signal: NodeJS.Signals): Promise<void> => {
    server.kill(signal)
    await once(server, 'exit')
  }

  await isReady()
  return {
    /** A store takes a separate schema for an empty database, which would take ten times as long to create. */
    makePlace: async (): Promise<pg.PoolConfig> => {
      places += 1
      await query(`CREATE SCHEMA place_${places}`)
      return { ...config, max: 4, options: `-c search_path=place_${places}` }
    },
    kill: () => end('SIGKILL'),
    restart: async () => {
      server = launch()
      await isReady()
    },
    stop: async () => {
      await end('SIGQUIT')
      rmSync(folder, { recursive: true })
    },
  }
}

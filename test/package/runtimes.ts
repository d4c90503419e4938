// Other runtimes, from npm. Each serves a module of the scratch folder, `export default { fetch }`, on its own port.
import { join } from 'node:path'
import { build } from 'esbuild'
import type { Scratch } from './scratch.js'

const WORKERD_CONFIG = `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "worker.mjs")],
  compatibilityDate = "2026-11-01",
  durableObjectNamespaces = [(className = "Pets", uniqueKey = "pets", preventEviction = true)],
  durableObjectStorage = (inMemory = void),
  bindings = [(name = "PETS", durableObjectNamespace = "Pets")],
);
`

/** Only within a Durable Object can requests share timers and promises, as the listeners of the feed do. */
const worker = (module: string): string => `
import service from '${module}'
export class Pets {
  fetch(request) { return service.fetch(request) }
}
export default { fetch: (request, { PETS }) => PETS.get(PETS.idFromName('all')).fetch(request) }
`

export const BUN = 'bun@1.4.5'

/** Each prints its address. */
const RUNTIMES = {
  bun: {
    from: BUN,
    command: ['bun', 'bun.mjs'],
    write: (scratch: Scratch, module: string) =>
      scratch.write(
        'bun.mjs',
        `import service from '${module}'
    console.log(Bun.serve({ port: 0, hostname: '127.0.0.1', idleTimeout: 0, fetch: (request) => service.fetch(request) }).url.origin)`,
      ),
  },
  deno: {
    from: 'deno@2.9.6',
    command: ['deno', 'run', '--allow-all', 'deno.mjs'],
    write: (scratch: Scratch, module: string) =>
      scratch.write(
        'deno.mjs',
        `import service from '${module}'
    Deno.serve({ port: 0, hostname: '127.0.0.1', onListen: ({ port }) => console.log('http://127.0.0.1:' + port) }, (request) => service.fetch(request))`,
      ),
  },
  workerd: {
    from: 'workerd@1.20261117.1',
    command: ['workerd', 'serve', 'config.capnp', '--control-fd=1'],
    write: async (scratch: Scratch, module: string) => {
      await scratch.write('config.capnp', WORKERD_CONFIG)
      await scratch.write('entry.mjs', worker(module))
      await build({
        entryPoints: [join(scratch.folder, 'entry.mjs')],
        outfile: join(scratch.folder, 'worker.mjs'),
        bundle: true,
        format: 'esm',
        platform: 'neutral',
        mainFields: ['module', 'main'],
        external: ['node:*'],
      })
    },
  },
} as const

type Runtime = keyof typeof RUNTIMES

/** Resolves to the address. The runtime ends with the test. */
export const startRuntime = async (scratch: Scratch, name: Runtime, module: string): Promise<string> => {
  const { from, command, write } = RUNTIMES[name]
  await write(scratch, module)
  const find = scratch.start({}, 'npx', '--yes', '-p', from, ...command)
  return `http://127.0.0.1:${await find(/(?:http:\/\/127\.0\.0\.1:|"port":)(\d+)/)}`
}

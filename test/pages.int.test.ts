// Runs each shell block of the pages in order, in a folder like a fresh clone. STEPS says why some blocks are not run.
import { copyFile, mkdir, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { describeWith } from './support/containers/describe-with.js'
import { blocksIn, pagesIn } from './support/documents/markdown.js'
import { startListening } from './support/network/start-listening.js'
import { type Clone, makeClone } from './support/processes/clone.js'

/** The results of the page's earlier blocks. */
interface Scene extends Clone {
  key?: string
  /** The lines that set KEY and PETS, for the other terminals. */
  exports?: string
  create?: string
}
type Step = (lines: string, scene: Scene) => Promise<void>

const ENGINE = 'needs a container engine'
const GATE = 'is what runs this test'

const serve: Step = async (lines, scene) => {
  scene.key = await scene.start(lines).find(/^API key \(shown this once\): (ast_live_\w+)$/m)
}

const createPet: Step = async (lines, scene) => {
  const pasted = lines.replace('ast_live_…', scene.key ?? '')
  scene.exports = pasted.split('\n\n', 1)[0] ?? ''
  scene.create = pasted
  const pet = '{"id":1,"name":"Rex","categoryId":7,"status":"available"}'
  expect(await scene.run(pasted)).toBe(`${pet}[${pet}][${pet}]`)
}

const watchEvents: Step = async (lines, scene) => {
  const { find } = scene.start(`${scene.exports}\n${lines}`)
  // a stream sends its position first
  await find(/^id: /m)
  await scene.run((scene.create ?? '').replace('rex-1', 'rex-2'))
  expect(await find(/^data: .*"subject":"([^"]+)"/m)).toContain('2')
}

const runSample: Step = async (program, scene) => {
  const folder = join(scene.folder, 'project')
  await mkdir(join(folder, 'node_modules'), { recursive: true })
  // replaces npm install with the tarball, which the tests of the package do
  await symlink(resolve('.'), join(folder, 'node_modules/animal-store'))
  await writeFile(join(folder, 'package.json'), '{ "type": "commonjs" }')
  const pasted = program.replace('ast_live_…', scene.key ?? '').replaceAll('8080', scene.port)
  await writeFile(join(folder, 'pets.mts'), pasted)
  const { find } = scene.start('cd project && tsx pets.mts')
  expect(await find(/^\[\n {2}\{ id: 3n,[\s\S]*^\](?!.*\[Object\])[\s\S]*^(\{ id: 3n, .*\})$/m)).toBe(
    "{ id: 3n, name: 'Rex', categoryId: 7n, status: 'available' }",
  )
}

const createReadOnlyKey: Step = async (lines, scene) => {
  const Authorization = `Bearer ${(await scene.run(lines)).trim()}`
  const url = `http://127.0.0.1:${scene.port}/v1/pets`
  const statuses = ['GET', 'POST'].map(
    async (method) => (await fetch(url, { method, headers: { Authorization } })).status,
  )
  expect(await Promise.all(statuses)).toStrictEqual([200, 403])
}

const look: Step = async (lines, { run }) => {
  await run('animal-store seed 7')
  expect((await run(lines)).match(/^\d+\|[^|]+\|[a-z]*\|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/gm)).toHaveLength(5)
}

const BACKUPS = '/backups/'

const backUp: Step = async (lines, { run, folder }) => {
  await mkdir(join(folder, BACKUPS))
  await run(lines.replaceAll(BACKUPS, folder + BACKUPS))
}

const restore: Step = async (lines, { run, folder }) => {
  const stored = '/var/lib/animal-store'
  const [backup = ''] = /\S+\.db/.exec(lines) ?? []
  await mkdir(join(folder, `${stored}-backups`), { recursive: true })
  await copyFile(join(folder, BACKUPS, 'pets-2026-11-22.db'), folder + backup)
  await run(lines.replaceAll(stored, folder + stored))
  const restored = await run(`DATA_DIR=${folder}${stored} animal-store export`)
  expect(restored.match(/^\{"kind":"pet"/gm) ?? restored).toHaveLength(7)
}

const trace: Step = async (lines, scene) => {
  const received: unknown[] = []
  const collector = createServer((request, response) => {
    received.push(request.url)
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}')
  })
  const { find, end } = scene.start(lines.replace('4318', String(await startListening(collector))))
  expect((await fetch(`${await find(/"url":"(http:[^"]+)"/)}/pets`)).status).toBe(401)
  await end('SIGTERM')
  expect(received).toContain('/v1/traces')
}

/** By page and first line of the block. A text is the reason why the block is not run. */
const STEPS: Readonly<Record<string, Readonly<Record<string, Step | string>>>> = {
  'README.md': {
    'npm ci && npm start': serve,
    'export KEY=ast_live_…': createPet,
    'curl -N -H "Authorization: Bearer $KEY" -H \'Accept: text/event-stream\' http://127.0.0.1:8080/v1/events':
      watchEvents,
    "import { makeClient } from 'animal-store/client'": runSample,
    'PORT=8081 docker compose up --wait': ENGINE,
    'curl -H "Authorization: Bearer $KEY" http://127.0.0.1:8081/v1/events': ENGINE,
    'npm run --silent animal-store -- keys create --name "read only" --scope pets:read --expires 30d':
      createReadOnlyKey,
    'npm test': GATE,
  },
  'CONTRIBUTING.md': { 'npm ci              # installs and builds': GATE },
  'docs/deployment.md': {
    'docker compose -f deploy/docker-compose.embedded.yml run --rm service keys create': ENGINE,
    'docker run --rm -v pets:/data animal-store:local keys create': ENGINE,
    'kubectl apply -f deploy/kubernetes/namespace.yaml': 'needs Kubernetes',
    'npm install --global animal-store       # once it is published, or the tarball of a release: ./animal-store-VERSION.tgz':
      'needs a published package, root and systemd',
  },
  'docs/embedded-store.md': {
    'sqlite3 -readonly data/animal-store.db "SELECT id, name, status, datetime(time / 1000, \'unixepoch\') FROM pets ORDER BY id DESC LIMIT 5"':
      look,
    'animal-store backup /backups/pets-2026-11-22.db   # beside the running service': backUp,
    'systemctl stop animal-store': restore,
    "alias dc='docker compose -f deploy/docker-compose.embedded.yml'": ENGINE,
  },
  'docs/embedding.md': {
    'npm install animal-store fp-ts@2': 'needs a published package; the tests of the package install its tarball',
  },
  'docs/mongodb.md': {
    '# stop the service': 'needs a running MongoDB',
    'docker compose up --wait mongodb                    # the service must not run yet': ENGINE,
  },
  'docs/operations.md': {
    'OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318 node --import ./dist/tracing.js dist/cli.js serve': trace,
    "SERVICE_NODE_OPTIONS='--import /app/dist/tracing.js' docker compose --profile tracing up --wait": ENGINE,
  },
}

const SHELL = ['sh', 'bash', 'shell', 'console']
const pages = pagesIn('.').map(({ path, text }) => ({
  path,
  blocks: blocksIn(text, path === 'README.md' ? [...SHELL, 'ts'] : SHELL),
}))
const withSteps = pages.filter(({ path }) => Object.values(STEPS[path] ?? {}).some((step) => typeof step !== 'string'))

it('every block of every page is run or has a reason', () => {
  const found = pages.filter(({ blocks }) => blocks.length > 0)
  const firstLines = found.map(({ path, blocks }) => [path, blocks.map(({ firstLine }) => firstLine)])
  const listed = Object.entries(STEPS).map(([path, steps]) => [path, Object.keys(steps)])
  expect(Object.fromEntries(firstLines)).toStrictEqual(Object.fromEntries(listed))
})

describeWith('curl', 'the blocks of', () => {
  it.each(withSteps)('$path work as pasted, from top to bottom', async ({ path, blocks }) => {
    const scene: Scene = await makeClone()
    for (const { firstLine, text } of blocks) {
      const step = STEPS[path]?.[firstLine]
      if (typeof step === 'function') await step(text, scene)
    }
  })
})

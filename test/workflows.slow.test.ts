import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { temporaryFolder } from './support/runner/temporary-folder.js'

interface Step {
  readonly uses?: string
}

interface Job {
  readonly 'timeout-minutes'?: number
  readonly 'runs-on': string
  readonly steps: readonly Step[]
}

interface Workflow {
  readonly env?: Readonly<Record<string, string>>
  readonly permissions?: unknown
  readonly concurrency?: unknown
  readonly jobs: Readonly<Record<string, Job>>
}

const FOLDER = '.github/workflows'
const files = readdirSync(FOLDER)
const textOf = (file: string): string => readFileSync(`${FOLDER}/${file}`, 'utf8')
const workflowOf = (file: string): Workflow => parse(textOf(file)) as Workflow

describe('the CI workflow', () => {
  it('pins each image that the tests start to a digest', () => {
    const { env = {} } = workflowOf('ci.yml')
    const started = [readFileSync('docker-compose.yml', 'utf8'), readFileSync('Dockerfile', 'utf8')].flatMap((text) =>
      [...text.matchAll(/\b(NODE|MONGO|NATS)_IMAGE\b/g)].map(([name]) => name),
    )
    expect(Object.keys(env).toSorted()).toEqual([...new Set(started)].toSorted())
    // the night tests the same server
    expect(textOf('nightly.yml')).toContain(`MONGO_IMAGE: ${env['MONGO_IMAGE']}\n`)
    expect(Object.values(env).filter((image) => !/^\w+:[\w.-]+@sha256:[0-9a-f]{64}$/.test(image))).toEqual([])
  })
})

describe.each(files)('%s', (file) => {
  const { permissions, concurrency, jobs } = workflowOf(file)
  const steps = Object.values(jobs).flatMap((job) => job.steps)

  it('pins each action to a commit, and says which version that is', () => {
    const uses = steps.flatMap((step) => step.uses ?? [])
    expect(uses.length).toBeGreaterThan(0)
    expect(uses.filter((one) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/.test(one))).toEqual([])
    expect(textOf(file).match(/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/gm)).toHaveLength(uses.length)
  })

  it('may only read by default, ends every job in time, and runs once per branch', () => {
    expect(permissions).toEqual({ contents: 'read' })
    expect(concurrency).toBeDefined()
    expect(Object.values(jobs).map((job) => job['timeout-minutes'])).toEqual(
      Object.values(jobs).map(() => expect.any(Number) as unknown),
    )
    expect(Object.values(jobs).filter((job) => job['runs-on'].endsWith('-latest'))).toEqual([])
  })
})

describe('the names that only the owner can give', () => {
  const FILES = ['.ci/owner.js', '.ci/owner.json', 'package.json', '.github/SECURITY.md']
  const copied = async (): Promise<string> => {
    const folder = await temporaryFolder()
    for (const file of FILES) await cp(file, join(folder, file))
    return folder
  }
  const run = (folder: string) => promisify(execFile)(process.execPath, [join(folder, '.ci/owner.js')])
  const textsIn = (folder: string) => FILES.map((file) => readFileSync(join(folder, file), 'utf8'))

  it('are in package.json and SECURITY.md, and the others are listed as missing', async () => {
    const folder = await copied()
    const { stdout } = await run(folder)
    expect(textsIn(folder)).toEqual(textsIn('.'))
    const names: unknown = JSON.parse(readFileSync('.ci/owner.json', 'utf8'))
    const missing = Object.entries(names as object).flatMap(([name, value]) => (value === null ? [name] : []))
    expect(stdout.split('\n').map((line) => line.split(':')[0])).toEqual([...missing, ''])
  })

  it('come from owner.json, and are refused in another form', async () => {
    const folder = await copied()
    const give = (names: object) => writeFile(join(folder, '.ci/owner.json'), JSON.stringify(names))
    const host = 'https://host.example/us/animal-store'
    const image = 'images.example/us/animal-store'
    await give({ repository: host, homepage: host, bugs: `${host}/issues`, securityContact: 'us@host.example', image })
    expect(await run(folder)).toEqual({ stdout: '', stderr: '' })
    expect(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))).toMatchObject({
      repository: { type: 'git', url: `git+${host}.git` },
      homepage: host,
      bugs: { url: `${host}/issues` },
    })
    expect(readFileSync(join(folder, '.github/SECURITY.md'), 'utf8')).toContain('>us@host.example<')

    await give({ image: `${image}:1.0.0`, imagee: image })
    await expect(run(folder)).rejects.toMatchObject({
      stderr: 'owner.json: imagee is unknown; image: wanted the image without a tag, REGISTRY/OWNER/NAME\n',
    })
  })
})

it('publishes the tarball whose checksum is on the release page, and rehearses that', () => {
  const published = textOf('release.yml').match(/npm publish .*/g)
  expect(published).toHaveLength(2)
  expect(published?.filter((command) => !command.endsWith(' ./reports/release/*.tgz'))).toEqual([])
})

describe('the notes of a release', () => {
  const notes = (...words: readonly string[]) =>
    promisify(execFile)(process.execPath, ['.ci/release-notes.js', ...words]).then(
      ({ stdout }) => stdout,
      (error: unknown) => (error instanceof Error && 'stderr' in error ? error.stderr : error),
    )

  it('are refused for a tag that is not the version of the package', async () => {
    expect(await notes('v0.0.1')).toMatch(/^the tag is v0\.0\.1, but package\.json has the version /)
    expect(await notes()).toMatch(/^the tag is missing, but /)
  })

  it('are the section of the version, once the changelog has dated it', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
    const isDated = readFileSync('CHANGELOG.md', 'utf8').includes(`\n## [${version}] - `)
    const expected = isDated ? /^### / : `CHANGELOG.md has no section [${version}]\n`
    expect(await notes(`v${version}`)).toMatch(expected)
  })
})

// A disk call fails once, or kills the process: before a commit or between its writes.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { verifyStore } from '../../../src/adapters/sqlite/backup/verify-store.js'
import { range } from '../../../src/testing/samples.js'
import { change } from '../../adapters/sqlite/open-store.js'
import { describeWith } from '../../support/containers/describe-with.js'
import { client, type Reply } from '../../support/http/client.js'
import { BUILT, startCli } from '../../support/processes/cli-process.js'
import { issueKey, startServiceProcess } from '../../support/processes/service-process.js'
import { temporaryFolder } from '../../support/runner/temporary-folder.js'

const SOURCE = fileURLToPath(new URL('failing-call.c', import.meta.url))
const CREATES = 40

const compile = (gcc: string, folder: string): string => {
  const library = join(folder, 'failing-call.so')
  execFileSync(gcc, ['-shared', '-fPIC', '-o', library, SOURCE, '-ldl'])
  return library
}

describeWith('gcc', 'a command on a file system', (gcc) => {
  const run = async (variables: Readonly<Record<string, string>>) => {
    const folder = await temporaryFolder()
    const settings = { DATA_DIR: join(folder, 'data'), LD_PRELOAD: compile(gcc, folder), ...variables }
    const outputs: string[] = []
    const backup = join(folder, 'backup.db')
    const words = [
      ['seed', '3'],
      ['backup', backup],
      ['export', join(folder, 'export')],
      ['restore', backup],
      ['seed', '1'],
    ]
    for (const line of words) {
      const command = startCli(BUILT, settings, ...line)
      const code = await command.exit
      outputs.push(
        `${line[0]} ${code}`,
        ...command
          .stderr()
          .split('\n')
          .filter((text) => text.includes('sync')),
      )
    }
    const names = (await readdir(folder)).filter((name) => name !== 'failing-call.so').toSorted()
    return { outputs, names, pets: verifyStore(join(folder, 'data/animal-store.db')).pets }
  }

  const ALL = ['backup.db', 'data', 'export']

  it('without hard links creates stores, backups and exports, and restores', async () => {
    const outputs = ['seed 0', 'backup 0', 'export 0', 'restore 0', 'seed 0']
    expect(await run({ NO_LINKS: '1' })).toStrictEqual({ outputs, names: ALL, pets: 4 })
  })

  it('that cannot sync a folder warns, and keeps what is complete', async () => {
    const warning = expect.stringMatching(
      /^warning: the name of .* could not be synced, so a power failure may lose it: EINVAL/,
    )
    const outputs = ['seed 0', 'backup 0', warning, 'export 0', warning, 'restore 0', warning, 'seed 0']
    expect(await run({ FOLDER_SYNC: 'EINVAL' })).toStrictEqual({ outputs, names: ALL, pets: 4 })
  })

  it('whose disk fails in the sync of a folder leaves no file that may get lost', async () => {
    const folder = await temporaryFolder()
    const settings = { DATA_DIR: join(folder, 'data') }
    expect(await startCli(BUILT, settings, 'seed', '1').exit).toBe(0)
    const failing = { ...settings, LD_PRELOAD: compile(gcc, folder), FOLDER_SYNC: 'EIO' }
    for (const name of ['backup', 'export'])
      expect(await startCli(BUILT, failing, name, join(folder, name)).exit).toBe(1)
    expect((await readdir(folder)).toSorted()).toStrictEqual(['data', 'failing-call.so'])
  })
})

describeWith('gcc', 'a service whose disk fails', (gcc) => {
  const start = async (variable: string) => {
    const folder = await temporaryFolder()
    const [library, trigger] = [compile(gcc, folder), join(folder, 'trigger')]
    const settings = { DATA_DIR: join(folder, 'data') }
    const key = await issueKey(settings)
    const service = await startServiceProcess({ ...settings, LD_PRELOAD: library, [variable]: trigger })
    const call = client(service.url, key)
    return {
      ...{ folder: settings.DATA_DIR, service, trigger },
      create: (name: string): Promise<Reply> =>
        call('POST', '/v1/pets', {
          body: JSON.stringify({ name, categoryId: 1 }),
          headers: { 'Idempotency-Key': name },
        }),
      startAgain: async () => client((await startServiceProcess(settings)).url, key),
    }
  }

  it.each(['FAIL_WRITE', 'FAIL_SYNC'])(
    'once refuses the creates of that commit, and no later one: %s',
    async (name) => {
      const { service, trigger, create, startAgain } = await start(name)
      const before = await create('before')
      await writeFile(trigger, '')
      const refused = await create('during')
      expect([existsSync(trigger), refused]).toMatchObject([false, { status: 503, json: { code: 'unavailable' } }])
      const after = await create('after')
      expect([before, after]).toMatchObject([{ status: 201 }, { status: 201 }])
      expect(await service.end('SIGTERM')).toBe(0)
      expect(service.stdout()).toContain('disk I/O error')

      const pets = (await (await startAgain())('GET', '/v1/pets')).text
      for (const { text } of [before, after]) expect(pets).toContain(text)
      expect(pets).not.toContain('during')
    },
  )

  it.each(['KILL_WRITE', 'KILL_SYNC'])(
    'for good, which kills it, has every answered create, and every other one whole or not at all: %s',
    async (name) => {
      const { folder, service, trigger, create, startAgain } = await start(name)
      const createMany = (from: number) => range(from, from + CREATES - 1).map((at) => create(`pet-${at}`))
      const before = await Promise.all(createMany(1))
      expect(before.map(({ status }) => status)).toStrictEqual(before.map(() => 201))
      await writeFile(trigger, '')
      const cut = await Promise.allSettled(createMany(CREATES + 1))
      expect(await service.exit).toBe(null)
      expect(existsSync(trigger)).toBe(false)
      expect(cut.map(({ status }) => status)).toContain('rejected')

      const call = await startAgain()
      const answered = [...before, ...cut.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))]
      for (const { text, headers } of answered) {
        const { pathname } = new URL(String(headers.get('location')))
        expect(await call('GET', pathname)).toMatchObject({ status: 200, text })
      }
      expect(verifyStore(join(folder, 'animal-store.db'))).toMatchObject({ damaged: 0 })
      change(folder, ({ first }) => {
        const [pets, keys] = first('SELECT count(*), (SELECT count(*) FROM idempotency_keys) FROM pets') ?? []
        expect(pets).toBe(keys)
      })
    },
  )
})

// The process is killed within a commit of many creates: after some of its pages are in the log, or before they are synced.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { verifyStore } from '../../../src/adapters/sqlite/backup/verify-store.js'
import { range } from '../../../src/testing/samples.js'
import { change } from '../../adapters/sqlite/open-store.js'
import { describeWith } from '../../support/containers/describe-with.js'
import { client } from '../../support/http/client.js'
import { issueKey, startServiceProcess } from '../../support/processes/service-process.js'
import { temporaryFolder } from '../../support/runner/temporary-folder.js'

const SOURCE = fileURLToPath(new URL('failing-call.c', import.meta.url))
const CREATES = 40

describeWith('gcc', 'a service that is killed within a commit', (gcc) => {
  it.each(['KILL_WRITE', 'KILL_SYNC'])(
    'has every answered create, and every other one whole or not at all: %s',
    async (name) => {
      const folder = await temporaryFolder()
      const [library, trigger] = [join(folder, 'failing-call.so'), join(folder, 'kill')]
      execFileSync(gcc, ['-shared', '-fPIC', '-o', library, SOURCE, '-ldl'])
      const settings = { DATA_DIR: join(folder, 'data') }
      const key = await issueKey(settings)
      const service = await startServiceProcess({ ...settings, LD_PRELOAD: library, [name]: trigger })
      const call = client(service.url, key)
      const create = (at: number) =>
        call('POST', '/v1/pets', {
          body: JSON.stringify({ name: `pet ${at}`, categoryId: at }),
          headers: { 'Idempotency-Key': `key-${at}` },
        })
      const before = await Promise.all(range(1, CREATES).map(create))
      expect(before.map(({ status }) => status)).toStrictEqual(before.map(() => 201))
      await writeFile(trigger, '')
      const cut = await Promise.allSettled(range(CREATES + 1, 2 * CREATES).map(create))
      expect(await service.exit).toBe(null)
      expect(existsSync(trigger)).toBe(false)
      expect(cut.map(({ status }) => status)).toContain('rejected')

      const again = client((await startServiceProcess(settings)).url, key)
      const answered = [...before, ...cut.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))]
      for (const { text, headers } of answered)
        expect(await again('GET', new URL(String(headers.get('location'))).pathname)).toMatchObject({
          status: 200,
          text,
        })
      expect(verifyStore(join(settings.DATA_DIR, 'animal-store.db'))).toMatchObject({ damaged: 0 })
      change(settings.DATA_DIR, ({ first }) => {
        const halves = 'SELECT count(*), (SELECT count(*) FROM idempotency_keys) FROM pets'
        const [pets, keys] = first(halves) ?? []
        expect(pets).toBe(keys)
      })
    },
  )
})

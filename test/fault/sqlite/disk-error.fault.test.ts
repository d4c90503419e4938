import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { describeWith } from '../../support/containers/describe-with.js'
import { client, type Reply } from '../../support/http/client.js'
import { issueKey, startServiceProcess } from '../../support/processes/service-process.js'
import { temporaryFolder } from '../../support/runner/temporary-folder.js'

const SOURCE = fileURLToPath(new URL('failing-call.c', import.meta.url))

describeWith('gcc', 'the embedded store whose disk fails once', (gcc) => {
  it.each(['FAIL_WRITE', 'FAIL_SYNC'])('refuses the creates of that commit, and no later one: %s', async (name) => {
    const folder = await temporaryFolder()
    const [library, trigger] = [join(folder, 'failing-call.so'), join(folder, 'fail')]
    execFileSync(gcc, ['-shared', '-fPIC', '-o', library, SOURCE, '-ldl'])
    const settings = { DATA_DIR: join(folder, 'data') }
    const key = await issueKey(settings)
    const service = await startServiceProcess({ ...settings, LD_PRELOAD: library, [name]: trigger })
    const call = client(service.url, key)
    const create = (pet: string): Promise<Reply> =>
      call('POST', '/v1/pets', { body: JSON.stringify({ name: pet, categoryId: 1 }) })

    const before = await create('before')
    await writeFile(trigger, '')
    const refused = await create('during')
    expect([existsSync(trigger), refused]).toMatchObject([false, { status: 503, json: { code: 'unavailable' } }])
    const after = await create('after')
    expect([before, after]).toMatchObject([{ status: 201 }, { status: 201 }])
    expect(service.stdout()).toContain('disk I/O error')
    expect(await service.end('SIGTERM')).toBe(0)

    const again = client((await startServiceProcess(settings)).url, key)
    const pets = (await again('GET', '/v1/pets')).text
    for (const { text } of [before, after]) expect(pets).toContain(text)
    expect(pets).not.toContain('during')
  })
})

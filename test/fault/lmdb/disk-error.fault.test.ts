import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { describeWith } from '../../support/containers/describe-with.js'
import { client, type Reply } from '../../support/http/client.js'
import { issueKey, startServiceProcess } from '../../support/processes/service-process.js'
import { temporaryFolder } from '../../support/runner/temporary-folder.js'

const SOURCE = fileURLToPath(new URL('failing-write.c', import.meta.url))

describeWith('gcc', 'the embedded store whose disk fails to write a meta page', (gcc) => {
  it('ends the process with 1 and a fatal line, and has every acknowledged pet after the restart', async () => {
    const folder = await temporaryFolder()
    const [library, trigger] = [join(folder, 'failing-write.so'), join(folder, 'fail')]
    execFileSync(gcc, ['-shared', '-fPIC', '-o', library, SOURCE, '-ldl'])
    const settings = { DATA_DIR: join(folder, 'data') }
    const key = await issueKey(settings)
    const service = await startServiceProcess({ ...settings, LD_PRELOAD: library, FAIL_ONCE: trigger })
    const call = client(service.url, key)
    const create = (name: string): Promise<Reply> =>
      call('POST', '/v1/pets', { body: JSON.stringify({ name, categoryId: 1 }) })

    const acknowledged = [await create('first'), await create('second')]
    expect(acknowledged).toMatchObject([{ status: 201 }, { status: 201 }])
    await writeFile(trigger, '')
    const during = await Promise.allSettled(Array.from({ length: 20 }, (_, at) => create(`during ${at}`)))
    expect(during.some((response) => response.status === 'fulfilled' && response.value.status === 503)).toBe(true)
    for (const response of during) if (response.status === 'fulfilled') expect(response.value.status).toBe(503)

    expect(await service.exit).toBe(1)
    const fatal = service
      .stdout()
      .split('\n')
      .filter((line) => line.includes('"level":"fatal"'))
    expect(fatal.map((line): unknown => JSON.parse(line))).toMatchObject([
      { msg: 'the embedded store cannot be used until it is opened again', directory: settings.DATA_DIR },
    ])

    const again = client((await startServiceProcess(settings)).url, key)
    const pets = (await again('GET', '/v1/pets')).text
    for (const { text } of acknowledged) expect(pets).toContain(text)
    expect(await again('POST', '/v1/pets', { body: '{"name":"after","categoryId":1}' })).toMatchObject({ status: 201 })
  })
})

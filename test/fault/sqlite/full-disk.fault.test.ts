import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { connect } from '../../../src/adapters/sqlite/file/connection.js'
import { DATABASE } from '../../../src/adapters/sqlite/file/folder.js'
import { describeWith } from '../../support/containers/describe-with.js'
import { type Call, client, type Reply } from '../../support/http/client.js'
import { BUILT, startCli } from '../../support/processes/cli-process.js'
import { issueKey, type ServiceProcess, startServiceProcess } from '../../support/processes/service-process.js'
import { boundMs } from '../../support/runner/night.js'
import { temporaryDisk } from '../../support/runner/temporary-folder.js'

const LONGEST = '\u{1f436}'.repeat(250)

interface TimedResponse extends Reply {
  readonly milliseconds: number
}

const idOf = ({ text }: Reply): string => /"id":(\d+)/.exec(text)?.[1] ?? ''

describeWith('tmpfs', 'the embedded store on a full disk', () => {
  let disk: string
  let call: Call
  let service: ServiceProcess
  beforeEach(async () => {
    disk = await temporaryDisk('4m')
    const settings = { DATA_DIR: join(disk, 'data') }
    const key = await issueKey(settings)
    service = await startServiceProcess(settings)
    call = client(service.url, key)
  })

  const fill = (): Promise<void> =>
    expect(writeFile(join(disk, 'filler'), Buffer.alloc(8_000_000))).rejects.toMatchObject({ code: 'ENOSPC' })
  const create = async (name: string): Promise<TimedResponse> => {
    const begin = performance.now()
    const response = await call('POST', '/v1/pets', { body: JSON.stringify({ name, categoryId: 1, status: 'sold' }) })
    return { ...response, milliseconds: performance.now() - begin }
  }
  const createMany = (count: number): Promise<readonly TimedResponse[]> =>
    Promise.all(Array.from({ length: count }, (_, at) => create(`${at}${LONGEST}`)))

  it('refuses creates as unavailable, keeps reading, and recovers by itself', async () => {
    // prevents a checkpoint during an idle second
    const reader = connect(join(disk, 'data', DATABASE), { readOnly: true })
    reader.exec('BEGIN; SELECT id FROM pets')
    const before = await createMany(20)
    expect(new Set(before.map(({ status }) => status))).toStrictEqual(new Set([201]))
    await fill()
    reader.close()
    // the file may have free pages for the first creates
    const during: TimedResponse[] = []
    while (during.filter(({ status }) => status !== 201).length < 60) during.push(...(await createMany(20)))
    const refused = during.filter(({ status }) => status !== 201)
    expect(new Set(refused.map(({ status }) => status))).toStrictEqual(new Set([503]))
    expect(refused[0]?.json).toMatchObject({ code: 'unavailable', status: 503n })
    expect(Math.max(...refused.map(({ milliseconds }) => milliseconds))).toBeLessThan(boundMs(5_000))
    expect(await call('GET', '/v1/pets?status=sold')).toMatchObject({ status: 200 })
    expect(await call('GET', '/health/ready')).toMatchObject({ status: 200 })

    // the log holds the earlier creates; the database file has no space for them
    await service.find(/"level":"warn"[^\n]*the log of the embedded store cannot be moved into its database/)

    await rm(join(disk, 'filler'))
    const after = await createMany(20)
    expect(new Set(after.map(({ status }) => status))).toStrictEqual(new Set([201]))

    const acknowledged = [...before, ...during, ...after].filter(({ status }) => status === 201)
    for (const response of acknowledged) {
      expect(await call('GET', `/v1/pets/${idOf(response)}`)).toMatchObject({ status: 200, text: response.text })
    }
    expect(new Set(acknowledged.map(idOf)).size).toBe(acknowledged.length)
  })

  it('opens and reads an existing store, and reports why it cannot create one', async () => {
    const [response] = await createMany(1)
    await fill()
    expect(response).toMatchObject({ status: 201 })
    // a separate process, because a store keeps its files open for a while after it is closed
    const run = async (folder: string, ...words: readonly string[]) => {
      const { exit, stderr } = startCli(BUILT, { DATA_DIR: join(disk, folder) }, ...words)
      return [await exit, stderr()]
    }
    expect(await run('data', 'export')).toStrictEqual([0, expect.stringContaining('exported 1 pet, 1 API key')])
    expect(await run('data', 'verify', join(disk, 'data'))).toStrictEqual([0, ''])
    // also fills the space freed by emptying the log
    await fill()
    // the whole output: no stack trace
    expect(await run('other', 'seed', '1')).toMatchObject([1, expect.stringMatching(/disk is full\n$/)])
  })
})

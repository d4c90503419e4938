import { cp, mkdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startCli } from '../support/processes/cli-process.js'
import { issueKey, startServiceProcess } from '../support/processes/service-process.js'
import { eventually } from '../support/runner/eventually.js'
import { temporaryFolder } from '../support/runner/temporary-folder.js'

it('the example follower counts each pet once, through kills of itself and of the service', async () => {
  const home = await temporaryFolder()
  await mkdir(join(home, 'node_modules'))
  await cp('examples/follower', home, { recursive: true })
  await symlink(process.cwd(), join(home, 'node_modules/animal-store'))
  const settings = { DATA_DIR: await temporaryFolder() }
  const key = await issueKey(settings)
  const first = await startServiceProcess(settings)
  const { url } = first
  const table = join(home, 'table.json')
  const follow = () => startCli([join(home, 'follower.js')], { BASE_URL: url, API_KEY: key }, table)
  const create = async (status: string): Promise<void> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ name: 'Rex', categoryId: 7, status })
    expect((await fetch(`${url}/pets`, { method: 'POST', headers, body })).status).toBe(201)
  }
  const expectTable = (pets: Readonly<Record<string, number>>) =>
    eventually(async () => expect(JSON.parse(await readFile(table, 'utf8'))).toMatchObject({ pets }))

  await create('sold')
  const follower = follow()
  await create('available')
  await expectTable({ sold: 1, available: 1 })
  await follower.end('SIGKILL')
  await create('sold')
  const second = follow()
  await expectTable({ sold: 2, available: 1 })
  await first.end('SIGKILL')
  await startServiceProcess({ ...settings, PORT: new URL(url).port })
  await create('pending')
  await expectTable({ sold: 2, available: 1, pending: 1 })
  await second.end('SIGTERM')
  expect(await second.exit).toBe(0)
}, 90_000)

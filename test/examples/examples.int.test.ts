// The examples that follow events, each in its own folder, while everything that can be killed is killed.
import { cp, mkdir, readdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { describeWith } from '../support/containers/describe-with.js'
import { startBroker } from '../support/nats/test-broker.js'
import { startCli } from '../support/processes/cli-process.js'
import { issueKey, runCommand, startServiceProcess } from '../support/processes/service-process.js'
import { eventually } from '../support/runner/eventually.js'
import { temporaryFolder } from '../support/runner/temporary-folder.js'

const install = async (name: string): Promise<string> => {
  const home = await temporaryFolder()
  await mkdir(join(home, 'node_modules'))
  // an installed copy may have its own
  await cp(`examples/${name}`, home, { recursive: true, filter: (path) => !path.includes('node_modules') })
  await symlink(process.cwd(), join(home, 'node_modules/animal-store'))
  await symlink(join(process.cwd(), 'node_modules/@nats-io'), join(home, 'node_modules/@nats-io'))
  return join(home, `${name}.js`)
}

const post = async (url: string, key: string, body: string): Promise<string> => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const response = await fetch(`${url}/pets`, { method: 'POST', headers, body })
  expect(response.status).toBe(201)
  return response.text()
}

/** The example as a process. It prints each event that it receives, and whether it is new. */
const consume = (program: string, url: string, into: string) => {
  const { stdout, end } = startCli([program], { EVENTS_URL: url }, into)
  return { told: (word: string) => stdout().match(new RegExp(`^${word}`, 'gm'))?.length ?? 0, end }
}

describeWith('nats-container', 'the example consumer', () => {
  it('stores each pet once, as the API returned it, despite duplicates and a kill', async () => {
    const broker = await startBroker()
    const settings = { DATA_DIR: await temporaryFolder(), EVENTS_URL: broker.url }
    const key = await issueKey(settings)
    const { url } = await startServiceProcess(settings)
    const create = () => post(url, key, '{"name":"Rex","categoryId":9223372036854775807}')
    const files = await temporaryFolder()
    const program = await install('consumer')
    const filed = async (): Promise<readonly string[]> => {
      const names = (await readdir(files)).filter((name) => name.endsWith('.json'))
      return (await Promise.all(names.map((name) => readFile(join(files, name), 'utf8')))).sort()
    }

    const first = consume(program, broker.url, files)
    const told = [await create(), await create()]
    await eventually(async () => expect(await filed()).toStrictEqual(told))
    await first.end('SIGKILL')
    told.push(await create())
    // a new broker does not know the ids of earlier messages: all three come again
    await broker.remove()
    const anew = await startBroker('', Number(new URL(broker.url).port))
    await runCommand(settings, 'events', 'replay', '--from', '2000-01-01')
    const second = consume(program, anew.url, files)
    await eventually(() => expect(second.told('double')).toBe(2))
    // printed after the file has its name
    await eventually(() => expect(second.told('new')).toBe(1))
    expect(await filed()).toStrictEqual(told)
  }, 90_000)
})

it('the example follower counts each pet once, through kills of itself and of the service', async () => {
  const program = await install('follower')
  const settings = { DATA_DIR: await temporaryFolder() }
  const key = await issueKey(settings)
  const first = await startServiceProcess(settings)
  const { url } = first
  const table = join(await temporaryFolder(), 'table.json')
  const follow = () => startCli([program], { BASE_URL: url, API_KEY: key }, table)
  const create = (status: string) => post(url, key, JSON.stringify({ name: 'Rex', categoryId: 7, status }))
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
  expect(await second.end('SIGTERM')).toBe(0)
}, 90_000)

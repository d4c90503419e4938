import { cp, mkdir, readdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { describeWith } from '../support/containers/describe-with.js'
import { startBroker } from '../support/nats/test-broker.js'
import { startCli } from '../support/processes/cli-process.js'
import { issueKey, runCommand, startServiceProcess } from '../support/processes/service-process.js'
import { eventually } from '../support/runner/eventually.js'
import { temporaryFolder } from '../support/runner/temporary-folder.js'

/** The example in a folder of its own, installed by links. */
const install = async (): Promise<string> => {
  const home = await temporaryFolder()
  await mkdir(join(home, 'node_modules'))
  // an installed copy may have its own
  await cp('examples/consumer', home, { recursive: true, filter: (path) => !path.includes('node_modules') })
  await symlink(process.cwd(), join(home, 'node_modules/animal-store'))
  await symlink(join(process.cwd(), 'node_modules/@nats-io'), join(home, 'node_modules/@nats-io'))
  return join(home, 'consumer.js')
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
    const service = await startServiceProcess(settings)
    const create = async (): Promise<string> => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      const body = '{"name":"Rex","categoryId":9223372036854775807}'
      return (await fetch(`${service.url}/pets`, { method: 'POST', headers, body })).text()
    }
    const files = await temporaryFolder()
    const program = await install()
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
    await eventually(async () => expect(await filed()).toStrictEqual(told))
    expect(second.told('new')).toBe(1)
  }, 90_000)
})

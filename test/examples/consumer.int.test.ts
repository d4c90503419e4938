import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, it } from 'vitest'
import { describeWith } from '../support/containers/describe-with.js'
import { startBroker } from '../support/nats/nats-broker.js'
import { issueKey, runCommand, startServiceProcess } from '../support/processes/service-process.js'
import { closeAfterEach } from '../support/runner/closing.js'
import { eventually } from '../support/runner/eventually.js'

const closing = closeAfterEach()
const folder = async () => closing(await mkdtemp(join(tmpdir(), 'consumer-')), (path) => rm(path, { recursive: true }))

/** The example in a folder of its own, installed by links. */
const install = async (): Promise<string> => {
  const home = await folder()
  await mkdir(join(home, 'node_modules'))
  await cp('examples/consumer', home, { recursive: true })
  await symlink(process.cwd(), join(home, 'node_modules/animal-store'))
  await symlink(join(process.cwd(), 'node_modules/@nats-io'), join(home, 'node_modules/@nats-io'))
  return join(home, 'consumer.js')
}

/** The example as a process. It prints each event that it receives, and whether it is new. */
const consume = (program: string, url: string, into: string) => {
  const lines: string[] = []
  const child = spawn(process.execPath, [program, into], {
    env: { PATH: process.env['PATH'], EVENTS_URL: url },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  createInterface(child.stdout).on('line', (line) => lines.push(line))
  const exit = once(child, 'exit')
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    await exit
  }
  return closing({ told: (word: string) => lines.filter((line) => line.startsWith(word)).length, end }, (one) =>
    one.end('SIGKILL'),
  )
}

describeWith('nats-container', 'the example consumer', () => {
  it('stores each pet once, as the API returned it, despite duplicates and a kill', async () => {
    const broker = closing(await startBroker(), (one) => one.remove())
    const settings = { DATA_DIR: await folder(), EVENTS_URL: broker.url }
    const key = await issueKey(settings)
    const service = closing(await startServiceProcess(settings), (one) => one.end('SIGKILL'))
    const create = async (): Promise<string> => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      const body = '{"name":"Rex","categoryId":9223372036854775807}'
      return (await fetch(`${service.url}/pets`, { method: 'POST', headers, body })).text()
    }
    const files = await folder()
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
    const anew = closing(await startBroker('', Number(new URL(broker.url).port)), (one) => one.remove())
    await runCommand(settings, 'events', 'replay', '--from', '2000-01-01')
    const second = consume(program, anew.url, files)
    await eventually(() => expect(second.told('double')).toBe(2))
    await eventually(async () => expect(await filed()).toStrictEqual(told))
    expect(second.told('new')).toBe(1)
  }, 90_000)
})

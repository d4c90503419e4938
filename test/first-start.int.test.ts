// The first start of an empty folder, as a newcomer meets it: a key, a line to paste, and no second key later.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { describeWith } from './support/containers/describe-with.js'
import { runCommand, startServiceProcess } from './support/processes/service-process.js'
import { temporaryPath } from './support/runner/temporary-folder.js'

describeWith('curl', 'the first start of an empty folder', () => {
  it('prints a key, and a curl line that works as pasted into a shell, and later starts accept it [first-start]', async () => {
    const settings = { DATA_DIR: await temporaryPath(), DRAIN_SECONDS: '0' }
    const first = await startServiceProcess(settings)
    const line = await first.find(/^Try it: +(curl .+)\n/m)
    const key = /^API key \(shown this once\): (ast_live_\w+)$/m.exec(first.stderr())?.[1] ?? 'none'
    expect(line).toContain(key)
    const sent = await promisify(execFile)('sh', ['-c', `${line} --silent --show-error --write-out ' %{http_code}'`])
    expect(sent.stdout).toBe('[] 200')
    expect(first.stdout()).not.toContain(key)
    expect(await first.end('SIGTERM')).toBe(0)
    const second = await startServiceProcess(settings)
    const response = await fetch(`${second.url}/pets`, { headers: { Authorization: `Bearer ${key}` } })
    expect([response.status, await response.text()]).toEqual([200, '[]'])
    expect(await second.end('SIGTERM')).toBe(0)
    expect(second.stderr()).toBe('')
    expect(second.stdout()).not.toContain('key created')
    const scopes = ['pets:read', 'pets:write', 'orders:read', 'events:read']
    expect(JSON.parse(await runCommand(settings, 'keys', 'list', '--json'))).toMatchObject([
      { name: 'first key', scopes },
    ])
  })
})

// The main serves the store: a pet is there after a restart, to its last digit.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'sqlite-main-'))
afterAll(() => rmSync(folder, { recursive: true }))

const start = async () => {
  const child = spawn(process.execPath, [resolve('dist/main.js')], { cwd: folder, env: { ...process.env, PORT: '0' } })
  const printed = { stdout: '', stderr: '' }
  child.stdout.on('data', (bytes) => (printed.stdout += String(bytes)))
  child.stderr.on('data', (bytes) => (printed.stderr += String(bytes)))
  const url = await vi.waitFor(() => {
    const found = /"url":"([^"]+)"/.exec(printed.stdout)?.[1]
    if (found === undefined) throw new Error(`it does not listen: ${printed.stdout}${printed.stderr}`)
    return found
  }, 10_000)
  const stop = async () => {
    child.kill('SIGTERM')
    return (await once(child, 'exit'))[0] as number
  }
  return { url, key: printed.stderr.trim(), stop }
}

it('serves its pets, also after a restart', { timeout: 30_000 }, async () => {
  const first = await start()
  const headers = { Authorization: `Bearer ${first.key}`, 'Content-Type': 'application/json' }
  const body = '{"name":"Rex","categoryId":9223372036854775807}'
  const created = await (await fetch(`${first.url}/pets`, { method: 'POST', headers, body })).text()
  expect(created).toBe('{"id":1,"name":"Rex","categoryId":9223372036854775807}')
  expect(await first.stop()).toBe(0)
  const second = await start()
  expect(await (await fetch(`${second.url}/pets`, { headers })).text()).toBe(`[${created}]`)
  expect(await second.stop()).toBe(0)
})

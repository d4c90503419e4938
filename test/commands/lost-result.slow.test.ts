// A command fails if it cannot write its result, with the reason on stderr; a key that nobody saw is revoked.
import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { childEnvironment } from '../support/processes/child-environment.js'
import { launchProcess, SOURCES } from '../support/processes/cli-process.js'
import { runCommand } from '../support/processes/run-command.js'
import { temporaryFolder } from '../support/runner/temporary-folder.js'

const FULL = 'exec "$0" "$@" >/dev/full'
const CLOSED = 'exec 3> >(:); wait $!; exec "$0" "$@" >&3'
const REASON = /^the result cannot be written to stdout: ENOSPC: no space left on device, write$/m

const start = async () => {
  const folder = await temporaryFolder()
  const environment = { DATA_DIR: join(folder, 'data') }
  const env = childEnvironment(environment)
  /** Bash opens stdout as `shell` says, then becomes the command. */
  const run = (shell: string, ...words: readonly string[]) =>
    new Promise<{ code: unknown; stderr: string }>((resolve) => {
      const all = ['--norc', '-c', shell, process.execPath, ...SOURCES, ...words]
      execFile('bash', all, { env }, (error, _, stderr) => resolve({ code: error === null ? 0 : error.code, stderr }))
    })
  const issue = async (...words: readonly string[]) =>
    JSON.parse((await runCommand(environment, 'keys', ...words, '--json')).stdout) as { readonly id: string }
  const keys = async () =>
    JSON.parse((await runCommand(environment, 'keys', 'list', '--json')).stdout) as readonly {
      readonly id: string
      readonly revokedAt: string | null
    }[]
  return { folder, environment, run, issue, keys }
}

describe.runIf(process.platform === 'linux')('a result that cannot be written', () => {
  it.each(['keys --help', 'seed 1 --json'])('fails %s with the reason, once [cmd-help]', async (command) => {
    const { run, issue } = await start()
    await issue('create')
    const { code, stderr } = await run(FULL, ...command.split(' '))
    expect(code).toBe(1)
    expect(stderr.match(new RegExp(REASON, 'gm'))).toHaveLength(1)
  })

  it.each([
    ['full', FULL, ['create']],
    ['a closed pipe', CLOSED, ['create', '--json']],
  ])('leaves no valid key that nobody saw: %s [cmd-keys]', async (_, shell, create) => {
    const { run, keys } = await start()
    const { code, stderr } = await run(shell, 'keys', ...create)
    expect(code).toBe(1)
    expect(stderr).toMatch(/^the key \w{11} was revoked, because it could not be shown$/m)
    expect(stderr).toMatch(/^the result cannot be written to stdout: (?:ENOSPC|write EPIPE)/m)
    expect(await keys()).toMatchObject([{ revokedAt: expect.any(String) }])
  })

  it('names a successor that nobody saw, and the command that replaces it', async () => {
    const { run, issue } = await start()
    const { id } = await issue('create')
    const { code, stderr } = await run(FULL, 'keys', 'rotate', id)
    expect(code).toBe(1)
    const [, successor = ''] =
      /^the key (\w{11}) could not be shown: replace it with animal-store keys rotate \1$/m.exec(stderr) ?? []
    expect(await issue('rotate', successor)).toMatchObject({ id: expect.any(String) })
  })

  it('leaves no valid first key that nobody saw, and the log says so', async () => {
    const { environment, keys } = await start()
    const env = childEnvironment({ ...environment, PORT: '0', DRAIN_SECONDS: '0' })
    const words = ['--norc', '-c', 'exec "$0" "$@" 2>/dev/full', process.execPath, ...SOURCES, 'serve']
    const serve = launchProcess('bash', words, env)
    onTestFinished(async () => void (await serve.end('SIGKILL')))
    const line = await serve.find(/^(.*was revoked, because it could not be shown.*)$/m)
    expect(JSON.parse(line)).toMatchObject({ level: 'error', keyId: expect.any(String) as unknown })
    expect(await keys()).toMatchObject([{ revokedAt: expect.any(String) }])
    expect(await serve.end('SIGTERM')).toBe(0)
  })

  it('fails an export to a file or to stdout of which only a part fits, and leaves no file that looks complete', async () => {
    const { folder, environment, run } = await start()
    expect(await runCommand(environment, 'seed', '3000')).toMatchObject({ code: 0 })
    const [file, redirected] = [join(folder, 'a.jsonl'), join(folder, 'b.jsonl')]
    const limited = await run('ulimit -f 100; exec "$0" "$@"', 'export', file)
    expect([limited.code, limited.stderr]).toStrictEqual([
      1,
      expect.stringMatching(/^\S+a\.jsonl: EFBIG: file too large, write$/m),
    ])
    const printed = await run(`ulimit -f 100; exec "$0" "$@" >${redirected}`, 'export')
    expect([printed.code, printed.stderr]).toStrictEqual([
      1,
      expect.stringMatching(/^the result cannot be written to stdout: EFBIG: file too large, write$/m),
    ])
    expect(await readdir(folder)).toStrictEqual(['b.jsonl', 'data'])
  })
})

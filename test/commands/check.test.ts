import { access } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { SETTING_NAMES } from '../../src/config/settings.js'
import { runCommand } from '../support/processes/run-command.js'
import { temporaryPath } from '../support/runner/temporary-folder.js'

describe('animal-store check', () => {
  it('prints the settings in force and hides secrets, without opening the store', async () => {
    const DATA_DIR = await temporaryPath()
    const secrets = {
      MONGODB_URI: 'mongodb://shop:hunter2@127.0.0.1:1/pets',
      EVENTS_URL: 'nats://u:hunter2@127.0.0.1:1',
    }
    const { code, stdout, stderr } = await runCommand(
      { DATA_DIR, PORT: '9', RATE_LIMIT_PER_SECOND: '50', ...secrets },
      'check',
    )
    expect([code, stderr]).toStrictEqual([0, ''])
    for (const line of [
      'PORT=9',
      'HOST=127.0.0.1',
      'STORE=mongodb',
      'MONGODB_URI=(hidden)',
      'EVENTS_URL=(hidden)',
      '#PUBLIC_URL=',
      'RATE_LIMIT_BURST=100',
    ])
      expect(stdout.split('\n')).toContain(line)
    expect(stdout).not.toContain('hunter2')
    await expect(access(DATA_DIR)).rejects.toThrow('ENOENT')
  })

  it('prints every setting as one JSON document', async () => {
    const { code, stdout } = await runCommand({ STORE: 'memory' }, 'check', '--json')
    const settings = JSON.parse(stdout) as Readonly<Record<string, string | null>>
    expect([code, Object.keys(settings)]).toStrictEqual([0, SETTING_NAMES])
    expect(settings).toMatchObject({ STORE: 'memory', PORT: '8080', EVENTS_URL: null })
  })
})

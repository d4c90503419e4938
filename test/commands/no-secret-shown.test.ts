// No command shows any of an address or a secret that is malformed, in whichever variable it stands.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCommandLine } from '../../src/commands/command-line.js'
import { fileVariable, rowOf, SETTING_NAMES } from '../../src/config/settings.js'
import { temporaryFolder } from '../support/runner/temporary-folder.js'

const MARKER = 'm4rker'

/** All that a command prints; `check` is first, because it starts nothing if one of the others would. */
const printedBy = async (environment: Readonly<Record<string, string>>, command: string) => {
  const printed: string[] = []
  const print = (text: string): void => void printed.push(text)
  const code = await runCommandLine(
    command.split(' '),
    { LOG_LEVEL: 'silent', ...environment },
    {
      result: async (text) => print(text),
      message: print,
      notice: async (text) => print(text),
      audit: print,
    },
  )
  return { code, text: printed.join('\n') }
}
// one module reads the settings for all commands
const COMMANDS = ['check', 'serve']

/** Passwords whose beginning or end passes for a host, a port or a database. */
const PASSWORDS = [
  `1234/${MARKER}`,
  `${MARKER}/1`,
  `1/${MARKER}/2`,
  `1/a?b=${MARKER}`,
  `1#${MARKER}`,
  `1/2@${MARKER}`,
  `${MARKER}@1/2`,
  `1%${MARKER}`,
  `1 ${MARKER}`,
  `1\n${MARKER}/2`,
  `1,${MARKER}/2`,
  `[${MARKER}/2`,
]
const after = (before: string, end: string): readonly string[] => PASSWORDS.map((text) => before + text + end)

const MONGODB = [
  ...after('mongodb://user:', '@127.0.0.1'),
  ...after('mongodb://user:', '@127.0.0.1:27017/pets?w=1'),
  ...after('mongodb+srv://user:', '@one.test/pets'),
  ...after('mongodb://', '@127.0.0.1'),
  ...after('mongodb:/user:', '@127.0.0.1/pets'),
  ...after('user:', '@127.0.0.1/pets'),
  `mongodb://12/${MARKER}@127.0.0.1`,
  `mongodb://${MARKER}/a@127.0.0.1`,
  `mongodb://user:1,${MARKER}@a@127.0.0.1/pets`,
  // what the driver's own messages would quote
  `mongodb://127.0.0.1/pets?${MARKER}=1`,
  `mongodb://127.0.0.1/pets?authMechanism=${MARKER}`,
  `mongodb://127.0.0.1/pets?wtimeoutMS=${MARKER}`,
  `mongodb://127.0.0.1/pets?ssl=${MARKER}`,
  `mongodb://user:${MARKER}@127.0.0.1:99999/pets`,
  `mongodb://user:${MARKER}@127.0.0.1:0/pets`,
  `MONGODB://user:${MARKER}@127.0.0.1/pets`,
  `mongodb+srv://user:${MARKER}@one.test:27017/pets`,
  `mongodb+srv://user:${MARKER}@localhost,one.test/pets`,
]
const EVENTS = [
  ...['nats://user:', 'tls://user:', 'nats://', 'nats://127.0.0.1,nats://user:'].flatMap((text) =>
    after(text, '@127.0.0.1'),
  ),
  ...['https://user:', 'https://', 'http://user:'].flatMap((text) => after(text, '@127.0.0.1/hook')),
  ...after('nats:/user:', '@127.0.0.1'),
  `nats://127.0.0.1/${MARKER}`,
  `nats://127.0.0.1?cred=${MARKER}`,
  `nats://user:1,${MARKER}@127.0.0.1`,
]
const SECRETS = [MARKER, `whsec_${MARKER}`, `whsec_${MARKER}=,whsec_`, `whsec-${MARKER}`]
const ADDRESSES = ['https://user:', 'https:/user:', 'user:', 'https//user:', 'https://'].flatMap((text) =>
  after(text, '@pets.example/v1'),
)
const QUERIES = [`https://pets.example/v1?key=${MARKER}`, `https://pets.example/v1#key=${MARKER}`]

const ROWS: readonly (readonly [variable: string, texts: readonly string[]])[] = [
  ['MONGODB_URI', MONGODB],
  ['EVENTS_URL', EVENTS],
  ['EVENTS_SECRET', SECRETS],
  ['PUBLIC_URL', [...ADDRESSES, ...QUERIES]],
  ['CORS_ORIGINS', [...ADDRESSES, ...ADDRESSES.map((text) => `https://a.example,${text}`), ...QUERIES]],
  ['DATA_DIR', [`mongodb://user:${MARKER}@127.0.0.1/pets`, `nats://user:${MARKER}@127.0.0.1`]],
  ...['MONGODB_URI', 'EVENTS_URL', 'EVENTS_SECRET'].map(
    (name) => [`${name}_FILE`, [...MONGODB, ...EVENTS, ...SECRETS]] as const,
  ),
  ...SETTING_NAMES.filter((name) => rowOf(name).isSecret !== true && name !== 'DATA_DIR').map(
    (name) => [name, [`mongodb://user:1/${MARKER}@127.0.0.1`, `user:${MARKER}@a`, `user:${MARKER}%40a/v1`]] as const,
  ),
]

describe('a malformed address or secret', () => {
  it.each(ROWS)('is refused without a part of it: %s', async (variable, texts) => {
    for (const command of COMMANDS)
      for (const text of texts) {
        const printed = await printedBy({ DATA_DIR: '/dev/null/none', [variable]: text }, command)
        expect([printed.code, printed.text], `${command} with ${text}`).toStrictEqual([
          78,
          expect.not.stringContaining(MARKER),
        ])
        expect(printed.text).toMatch(new RegExp(`^${variable}: got `, 'm'))
      }
  })

  it.each([
    ['MONGODB_URI', MONGODB],
    ['EVENTS_URL', EVENTS],
    ['EVENTS_SECRET', SECRETS],
  ] as const)('is refused without a part of it in a file: %s', async (name, texts) => {
    const path = join(await temporaryFolder(), 'secret')
    for (const text of texts) {
      await writeFile(path, text)
      for (const command of COMMANDS) {
        const environment = { DATA_DIR: '/dev/null/none', EVENTS_URL: name === 'EVENTS_SECRET' ? 'https://a' : '' }
        const printed = await printedBy({ ...environment, [fileVariable(name)]: path }, command)
        expect([printed.code, printed.text], `${command} with ${text}`).toStrictEqual([
          78,
          expect.not.stringContaining(MARKER),
        ])
      }
    }
  })
})

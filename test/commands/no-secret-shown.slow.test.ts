// No command shows any part of a malformed address or secret, whichever variable holds it.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fileVariable, rowOf, SETTING_NAMES } from '../../src/config/settings.js'
import { runCommand } from '../support/processes/run-command.js'
import { temporaryFolder } from '../support/runner/temporary-folder.js'

const MARKER = 'm4rker'

/** Passwords whose beginning or end looks like a host, a port or a database. */
const PASSWORDS = [
  `1234/${MARKER}`,
  `1/${MARKER}/2`,
  `1/a?b=${MARKER}`,
  `1#${MARKER}`,
  `1/2@${MARKER}`,
  `${MARKER}@1/2`,
  `1\n${MARKER}/2`,
  `1,${MARKER}/2`,
  `[${MARKER}/2`,
]
const after = (before: string, end: string): readonly string[] => PASSWORDS.map((text) => before + text + end)

const MONGODB = [
  ...after('mongodb://user:', '@127.0.0.1:27017/pets?w=1'),
  ...after('mongodb+srv://user:', '@one.test/pets'),
  ...after('mongodb://', '@127.0.0.1'),
  ...after('user:', '@127.0.0.1/pets'),
  `mongodb://12/${MARKER}@127.0.0.1`,
  `mongodb://user:1,${MARKER}@a@127.0.0.1/pets`,
  // parts that the driver's own messages would quote
  `mongodb://127.0.0.1/pets?${MARKER}=1`,
  `mongodb://127.0.0.1/pets?authMechanism=${MARKER}`,
  `mongodb://user:${MARKER}@127.0.0.1:99999/pets`,
  `MONGODB://user:${MARKER}@127.0.0.1/pets`,
  `mongodb+srv://user:${MARKER}@one.test:27017/pets`,
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
  ...SETTING_NAMES.filter((name) => rowOf(name).isSecret !== true && name !== 'DATA_DIR').map(
    (name) => [name, [`mongodb://user:1/${MARKER}@127.0.0.1`, `user:${MARKER}@a`, `user:${MARKER}%40a/v1`]] as const,
  ),
]

// All commands share one settings reader, so one suffices; a start would connect if a setting were well-formed
const expectHidden = async (variable: string, text: string, others: Readonly<Record<string, string>> = {}) => {
  const settings = { LOG_LEVEL: 'silent', DATA_DIR: '/dev/null/none', ...others, [variable]: text }
  const { code, stdout, stderr } = await runCommand(settings, 'check')
  expect([code, stdout, stderr], text).toStrictEqual([78, '', expect.not.stringContaining(MARKER)])
  expect(stderr).toMatch(new RegExp(`^${variable}: got `, 'm'))
}

it.each(ROWS)('a malformed %s is refused without a part of it', async (variable, texts) => {
  for (const text of texts) await expectHidden(variable, text)
})

it.each([
  ['MONGODB_URI', MONGODB],
  ['EVENTS_URL', EVENTS],
  ['EVENTS_SECRET', SECRETS],
] as const)('a malformed %s in a file, or as its path, is refused without a part of it', async (name, texts) => {
  const path = join(await temporaryFolder(), 'secret')
  const others = { EVENTS_URL: name === 'EVENTS_SECRET' ? 'https://a' : '' }
  for (const text of texts) {
    await writeFile(path, text)
    await expectHidden(fileVariable(name), path, others)
    await expectHidden(fileVariable(name), text)
  }
})

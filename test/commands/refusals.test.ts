// What a command refuses before it opens a store, and each command without a store: exit code, nothing on stdout, the reason on stderr, and no store.
import { access, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { BAD_CONFIGURATION, FAILED, WRONG_USAGE } from '../../src/commands/command.js'
import { runCommand } from '../support/processes/run-command.js'
import { temporaryFolder } from '../support/runner/temporary-folder.js'

/** `''` is an empty word, FILE a path in the test's folder. */
type Row = readonly [command: string, stderr: string | RegExp, environment?: Readonly<Record<string, string>>]

const TIME = 'wanted a time like 2026-11-21T09:30:00Z or 2026-11-21, or now'
const NO_OPERAND = 'an operand is missing, empty or -; usage: animal-store'
const notACommand = (words: string): Row => [
  words,
  `"${words}" is not a command: animal-store --help explains all commands\n`,
]

const USAGE: readonly Row[] = [
  ...['keys', 'keys x', 'events parked lsit', 'kesy list', 'foo --help', '--foo'].map(notACommand),
  ['keys create --nme x', /^Unknown option '--nme'; usage: animal-store keys create \[--name N\] /],
  ['keys create --name', /^.*argument missing; usage: animal-store keys create \[--name N\] /],
  ['serve --port 9000', /^Unknown option '--port'; usage: animal-store serve\n/],
  ['keys revoke', `${NO_OPERAND} keys revoke ID\n`],
  ['keys list x', 'unexpected operand "x"; usage: animal-store keys list\n'],
  ["export ''", `${NO_OPERAND} export [FILE]\n`],
  ['import -', `${NO_OPERAND} import [FILE]\n`],
  ['export --json', /^--json: wanted a FILE, because /],
  ["keys create --name ''", /^--name: got "", wanted 1 to 256 characters/],
  ['keys create --scope all', /^--scope: got "all", wanted one of pets:read, /],
  ['keys create --expires soon', /^--expires: got "soon", wanted a duration/],
  ['keys create --expires 36526d', /^--expires: .*at most a hundred years\n$/],
  ['keys rotate x --overlap 0s', /^--overlap: got "0s", wanted a duration/],
  ['keys prune --older-than soon', /^--older-than: got "soon", wanted a duration/],
  ['events replay', `--from: got "", ${TIME}\n`],
  ['events replay --from 2026-02-30', `--from: got "2026-02-30", ${TIME}\n`],
  ["seed ''", `${NO_OPERAND} seed N\n`],
  ...['0', '-1', '1.5', '1e3', 'many', '100000000'].map((count): Row => [`seed -- ${count}`, /wanted /]),
]

const BAD = { PORT: 'x', STORE: 'disk', MONGODB_URI: 'mongodb://u:secret@' }
const BAD_REASONS = /^PORT: got "x", .*\nSTORE: got "disk", .*\nMONGODB_URI: got \(hidden\), wanted (?!.*\n.).*\n$/
const DRIVER = { MONGODB_URI: 'mongodb://user:hunter2@localhost/pets?foo=1', PORT: '0' }
const DRIVER_REASON =
  'MONGODB_URI: got (hidden), wanted another: the MongoDB driver refuses foo; user and password are percent-encoded (@ as %40, / as %2F)\n'

const SETTINGS: readonly Row[] = [
  ...['serve', 'check', 'keys list --json'].map((words): Row => [words, BAD_REASONS, BAD]),
  ['check', /^MONGODB_URI: got \(hidden\), wanted /, { MONGODB_URI: 'mongodb://127.0.0.1/pets?wtimeoutMS=soon' }],
  [
    'check',
    'EVENTS_URL: got (hidden), wanted a readable file in creds: ENOENT\n',
    { EVENTS_URL: 'nats://127.0.0.1?creds=/no/file' },
  ],
  ...['serve', 'indexes', 'keys list'].map((words): Row => [words, DRIVER_REASON, DRIVER]),
]

const ON_A_STORE = [
  'keys list',
  'keys rotate aaaaaaaaaaa',
  'keys revoke aaaaaaaaaaa',
  'keys prune',
  'events backlog',
  'events replay --from 2026-01-01T00:00:00Z',
  'events parked list',
  'events parked retry',
  'backup FILE',
  'export FILE',
]
const MEMORY = { STORE: 'memory' }
const IN_MEMORY = 'STORE=memory keeps everything inside the serving process; no other command can reach it\n'
const MONGODB = { STORE: 'mongodb', MONGODB_URI: 'mongodb://127.0.0.1:9/pets' }

const CREATING = ['keys create', 'seed 1', 'import package.json']
/** A file instead of the folder. */
const NO_FOLDER = { DATA_DIR: 'package.json', PORT: '0' }

const STORES: readonly Row[] = [
  ...[...ON_A_STORE, ...CREATING, 'verify FILE', 'serve'].map((words): Row => [words, /\S/, NO_FOLDER]),
  ...ON_A_STORE.map(
    (words): Row => [words, /^there is no store in \S+data: set DATA_DIR to the folder of the running service\n$/],
  ),
  ...[...ON_A_STORE, ...CREATING, 'verify FILE'].map((words): Row => [words, IN_MEMORY, MEMORY]),
  ['indexes', 'STORE=memory has no indexes to create; this command is for STORE=mongodb\n', MEMORY],
  ...['backup FILE', 'restore FILE'].map((words): Row => [words, /mongodump/, MONGODB]),
]

const withCode = (code: number, rows: readonly Row[]) =>
  rows.map(([command, reason, environment = {}]) => ({ code, command, reason, environment }))

it.each([...withCode(WRONG_USAGE, USAGE), ...withCode(BAD_CONFIGURATION, SETTINGS), ...withCode(FAILED, STORES)])(
  'ends with $code and its reason, and creates nothing: $command [cmd-help cmd-seed cmd-check cmd-memory bad-values]',
  async ({ code, command, reason, environment }) => {
    const folder = await temporaryFolder()
    const [DATA_DIR, file] = [join(folder, 'data'), join(folder, 'file')]
    const listeners = () => ['SIGTERM', 'SIGINT', 'SIGHUP'].map((event) => process.listenerCount(event))
    const before = listeners()
    const words = command.split(' ').map((word) => (word === 'FILE' ? file : word.replace("''", '')))
    const printed = await runCommand({ DATA_DIR, LOG_LEVEL: 'silent', ...environment }, ...words)
    const stderr = typeof reason === 'string' ? reason : (expect.stringMatching(reason) as unknown)
    expect(printed).toStrictEqual({ code, stdout: '', stderr })
    expect(listeners()).toStrictEqual(before)
    for (const path of [DATA_DIR, file]) await expect(access(path)).rejects.toThrow('ENOENT')
  },
)

it('names the variable of the file that holds a refused address', async () => {
  const file = join(await temporaryFolder(), 'uri')
  await writeFile(file, `${DRIVER.MONGODB_URI}\n`)
  const stderr = DRIVER_REASON.replace('MONGODB_URI', 'MONGODB_URI_FILE')
  const printed = await runCommand({ MONGODB_URI_FILE: file }, 'keys', 'list')
  expect(printed).toStrictEqual({ code: BAD_CONFIGURATION, stdout: '', stderr })
})

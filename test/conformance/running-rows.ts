// How the program is run.
import { row, type Section } from './row.js'

export const RUNNING: readonly Section[] = [
  {
    name: 'The commands',
    rows: [
      row(
        'first-start',
        'the first start',
        'first: prints a key, and a curl line that works as pasted into a shell',
        'first: is followed by starts that create and print no key, and accept the first one',
        'firstkey: creates the first key of an embedded store once, and shows how to use it',
      ),
      row(
        'not-run',
        'tests that could not run are named',
        'notrun: lists every suite that needs an image as not run, and fails none',
        'notrun: fails them with CONTAINERS=required',
      ),
      row('npm-start', 'npm start builds if needed', 'prestart: npm start builds %s'),
      row('cmd-keys', 'keys', 'cli: creates, lists, rotates and revokes keys, and prints each key once'),
      row(
        'cmd-events',
        'events',
        'events: print how many events wait, for how long, and how many are parked',
        'events: replay events %s',
        'events: replay events before any relay has run, and leave the others alone',
        'replay: scans as many pages as there are, and keeps the record small',
      ),
      row('cmd-seed', 'seed', 'seed: adds the requested number of pets, with every status and without one'),
      row(
        'cmd-indexes',
        'indexes',
        'indexes: creates the indexes, and finds them the second time',
        'role: may do everything that a service and its commands do with the role readWrite',
      ),
      row('cmd-check', 'check', 'judge: exits with 78 if a start would: %j'),
      row(
        'cmd-store',
        'backup, verify, export, import',
        'backup: refuses a path that exists',
        'verify: reports no damage in a store that another process has open',
        'move: copy a store exactly to another one, and change nothing the second time',
      ),
      row(
        'cmd-help',
        '--help, --version, wrong usage',
        'help: explains every command on stdout: %s',
        'help: prints the version of the package, and exits with 0',
        'cli: exits with 2 for wrong usage: %s',
      ),
      row(
        'cmd-memory',
        'STORE=memory cannot be reached',
        'cli: exits with 1 for a store in memory, which no other process can reach',
      ),
    ],
  },
  {
    name: 'The environment',
    rows: [
      row(
        'settings',
        'every setting with its default',
        'config: has a case above for each setting',
        'config: works without any variable',
      ),
      row(
        'bad-values',
        'a bad value stops the start',
        'refused: refuses a bad %s in one line: name, got, wanted',
        'refused: lists every problem, one per line',
        'bad: exits with 78 for a bad configuration, with one line per problem, before anything is opened',
        'refused: never shows the value of %s',
      ),
      row(
        'secret-files',
        'values from files',
        'secret: is read, with this end of the file: %j',
        'secret: is refused beside the value itself',
      ),
      row(
        'timeouts',
        'time for a request and for its headers',
        'limits: gets 408 after %s, and one line in the log',
        'limits: get 408 after half of the time that a whole request has',
      ),
    ],
  },
  {
    name: 'While it runs',
    rows: [
      row(
        'listening',
        'the log, and where it listens',
        'system: prints its address, its key and a warning that it keeps no data; then it serves and stops',
        'lost: %s is lost, and the service answers and stops',
      ),
      row(
        'recovery',
        'starts without its database or broker',
        'mongo: starts without its database and connects later',
        'evfault: serves requests without its broker, and sends everything once the broker is available',
      ),
      row(
        'probes',
        'live and ready',
        'fail: is 200 while the store answers, and 503 as soon as a stop begins',
        'stop: is 503 during a stop, without an error in the log',
      ),
      row(
        'stop',
        'a stop',
        'system: accepts connections for DRAIN_SECONDS while it is not ready, and says Connection: close on every answer',
        'system: answers requests in flight before it exits, and accepts no new ones',
        'system: closes a kept connection after its next response, or after a second without a request',
        'system: closes remaining connections after SHUTDOWN_SECONDS, and exits with 1',
        'system: exits at once at a second signal',
        'hstop: makes each response the last of its connection, and serves new connections until the drain ends',
      ),
      row(
        'memory',
        'STORE=memory',
        'system: prints its address, its key and a warning that it keeps no data; then it serves and stops',
      ),
      row(
        'damage',
        'damaged records',
        'damage: of a pet is reported by id, never served, and hides no other',
        'start: logs a damaged record with its id, and counts it in these metrics',
      ),
      row(
        'processes',
        'several processes on one folder',
        'kill: lets a process continue when another one on the folder is killed, with unique ascending ids',
        'shared: show one another at once what was answered',
      ),
    ],
  },
]

// What the suites of HTTP cannot test on another runtime, and what does not work there. docs/embedding.md tells the latter.
import type { Runtime } from './runtimes.js'

export interface Exception {
  readonly reason: string
  /** Absent: on all of them. */
  readonly on?: Runtime
  readonly file: string
  /** The beginning of the full names of tests; all of these fail. */
  readonly tests: string
}

const REPLACED = 'only in the process of the test: ports that the test replaces'
const LOGGED = 'only in the process of the test: the log'
const STREAM = 'a stream of events'
const WORKERD = { on: 'workerd' } as const
const FILES = { ...WORKERD, reason: 'the documentation reads files, which a bundle does not have' }
const METHODS = {
  ...WORKERD,
  reason: 'workerd answers 501 to methods that it does not know',
  file: 'adapters/http/methods.test.ts',
}
const DESCRIPTION = 'adapters/http/endpoints/documentation.test.ts'

export const EXCEPTIONS: readonly Exception[] = [
  {
    reason: REPLACED,
    file: 'adapters/http/authentication.test.ts',
    tests: 'a credential that is not exactly one valid key is invalid if another service issued it',
  },
  {
    reason: REPLACED,
    file: 'adapters/http/authentication.test.ts',
    tests: 'a key stops working within five seconds on every instance',
  },
  { reason: REPLACED, file: 'adapters/http/failures.test.ts', tests: 'a port that ' },
  { reason: REPLACED, file: 'adapters/http/failures.test.ts', tests: 'an unavailable store ' },
  {
    reason: REPLACED,
    file: 'adapters/http/failures.test.ts',
    tests: '/health/ready is a 500 without details if the ping of the store throws',
  },
  ...[
    'has one line per request',
    'names the key of a refused request too',
    'says which key was refused',
    'says why a key was refused',
    'counts the bytes of the body',
    'names the client if a trusted proxy reports it',
    'continues the trace of ',
  ].map((name) => ({ reason: LOGGED, file: 'adapters/http/log.test.ts', tests: `the log ${name}` })),
  { reason: REPLACED, file: 'adapters/http/log.test.ts', tests: 'the log never contains a secret' },
  {
    reason: REPLACED,
    file: 'adapters/http/overload.test.ts',
    tests: 'a service with as many requests in flight as it accepts',
  },
  { reason: REPLACED, file: 'adapters/http/twice.test.ts', tests: 'the second time an outage is 503' },
  {
    reason: REPLACED,
    file: 'adapters/http/endpoints/event-stream-end.test.ts',
    tests: `${STREAM} lasts while the log is away`,
  },
  { reason: LOGGED, file: 'adapters/http/endpoints/event-stream-end.test.ts', tests: `${STREAM} is logged once` },
  {
    reason: REPLACED,
    file: 'adapters/http/endpoints/event-stream.test.ts',
    tests: 'GET /v1/events as a stream polls for many listeners once',
  },
  {
    reason: REPLACED,
    file: 'adapters/http/endpoints/events.test.ts',
    tests: 'GET /v1/events as pages answers 503 while the log is away',
  },
  ...['is reported once', 'causes no warning'].map((name) => ({
    reason: LOGGED,
    file: 'adapters/http/messages/addresses.test.ts',
    tests: `a TLS proxy in front of a service without PUBLIC_URL ${name}`,
  })),
  { ...FILES, file: 'error-codes.test.ts', tests: 'the page at /docs/errors ' },
  {
    ...FILES,
    file: 'adapters/http/cors.test.ts',
    tests: 'a configured origin may read the response to GET /openapi.json',
  },
  { ...FILES, file: 'adapters/http/methods.test.ts', tests: 'OPTIONS of /openapi.json ' },
  { ...FILES, file: 'adapters/http/methods.test.ts', tests: 'OPTIONS of /docs ' },
  { ...FILES, file: 'adapters/http/methods.test.ts', tests: 'another method of /openapi.json ' },
  { ...FILES, file: 'adapters/http/methods.test.ts', tests: 'another method of /docs ' },
  {
    ...FILES,
    file: 'adapters/http/overload.test.ts',
    tests: 'a rate limit counts what needs no key by address, except probes',
  },
  ...[
    'description ',
    'server of the description ',
    'page serves /docs',
    'page responds 405',
    'assets of the pages ',
  ].map((part) => ({
    ...FILES,
    file: DESCRIPTION,
    tests: `the ${part}`,
  })),
  { ...FILES, file: DESCRIPTION, tests: 'a static file ' },
  ...['/v1/', '/health/'].map((path) => ({ ...METHODS, tests: `another method of ${path}` })),
  {
    ...WORKERD,
    reason: 'a listener that has left is noticed only when something is sent to it',
    file: 'adapters/http/endpoints/event-stream.test.ts',
    tests: 'GET /v1/events as a stream serves as many streams as configured',
  },
  {
    ...WORKERD,
    reason: 'an If-Match without a value does not arrive',
    file: 'adapters/http/messages/conditional.test.ts',
    tests: 'If-Match of another response gets 412',
  },
]

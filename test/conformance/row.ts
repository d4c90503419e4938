// Where the tests are that rows name.

export const FILES = {
  create: 'test/adapters/http/endpoints/create-pet.test.ts',
  list: 'test/adapters/http/endpoints/list-pets.test.ts',
  get: 'test/adapters/http/endpoints/get-pet.test.ts',
  retry: 'test/adapters/http/endpoints/idempotency-key.test.ts',
  body: 'test/adapters/http/endpoints/bodies.test.ts',
  endpoint: 'test/adapters/http/endpoints/endpoints.test.ts',
  docs: 'test/adapters/http/endpoints/documentation.test.ts',
  feed: 'test/adapters/http/endpoints/events.test.ts',
  sse: 'test/adapters/http/endpoints/event-stream.test.ts',
  sseend: 'test/adapters/http/endpoints/event-stream-end.test.ts',
  streams: 'test/adapters/http/server/streams.test.ts',
  readfeed: 'test/domain/events/read-feed.test.ts',
  feedfault: 'test/fault/feed.fault.test.ts',
  trace: 'test/adapters/http/endpoints/trace.test.ts',
  media: 'test/adapters/http/messages/media-type.test.ts',
  cond: 'test/adapters/http/messages/conditional.test.ts',
  base: 'test/adapters/http/messages/addresses.test.ts',
  auth: 'test/adapters/http/authentication.test.ts',
  twice: 'test/adapters/http/server/repeated-headers.test.ts',
  methods: 'test/adapters/http/methods.test.ts',
  target: 'test/adapters/http/server/targets.test.ts',
  page: 'test/adapters/http/endpoints/paging.test.ts',
  cursor: 'test/adapters/http/endpoints/list-query.test.ts',
  load: 'test/adapters/http/overload.test.ts',
  cors: 'test/adapters/http/cors.test.ts',
  order: 'test/adapters/http/order-of-checks.test.ts',
  fail: 'test/adapters/http/failures.test.ts',
  log: 'test/adapters/http/log.test.ts',
  openapi: 'test/adapters/http/openapi.test.ts',
  errors: 'test/adapters/http/openapi-errors.test.ts',
  limits: 'test/adapters/http/server/limits.test.ts',
  framing: 'test/adapters/http/server/framing.test.ts',
  pipe: 'test/adapters/http/server/pipelining.test.ts',
  stop: 'test/adapters/http/server/stop-server.test.ts',
  check: 'test/support/documents/openapi-check.test.ts',
  codes: 'test/error-codes.test.ts',
  schema: 'test/schema/generated.schema.test.ts',
  system: 'test/system.test.ts',
  lost: 'test/lost-output.test.ts',
  first: 'test/first-start.int.test.ts',
  firstkey: 'test/commands/first-key.test.ts',
  start: 'test/start-service.test.ts',
  cli: 'test/commands/command-line.test.ts',
  help: 'test/commands/help.test.ts',
  events: 'test/commands/events.test.ts',
  judge: 'test/commands/check.test.ts',
  indexes: 'test/commands/indexes.int.test.ts',
  seed: 'test/commands/seed.test.ts',
  backup: 'test/commands/store/backup.test.ts',
  verify: 'test/commands/store/verify.test.ts',
  move: 'test/commands/store/export-import.test.ts',
  config: 'test/config/read-config.test.ts',
  refused: 'test/config/refused-settings.test.ts',
  secret: 'test/config/secret-files.test.ts',
  bad: 'test/commands/bad-configuration.test.ts',
  ids: 'src/testing/contracts/id-generator.contract.ts',
  eventlog: 'src/testing/contracts/event-log.contract.ts',
  law: 'src/testing/contracts/event-log-law.contract.ts',
  replay: 'test/domain/events/replay-events.test.ts',
  loop: 'test/adapters/relay/relay-loop.test.ts',
  lease: 'test/adapters/relay/relay-lease.test.ts',
  keys: 'src/testing/contracts/idempotency-keys.contract.ts',
  shared: 'src/testing/contracts/shared-store.contract.ts',
  addkey: 'test/domain/pets/add-pet-idempotency-key.test.ts',
  keytext: 'test/domain/api-keys/api-key-text.test.ts',
  newkey: 'test/domain/api-keys/create-api-key.test.ts',
  rotate: 'test/domain/api-keys/rotate-api-key.test.ts',
  ce: 'test/domain/events/cloud-event.test.ts',
  relay: 'test/domain/events/send-batch.test.ts',
  doubt: 'test/domain/events/doubted-event.test.ts',
  hook: 'test/adapters/webhook/event-publisher.test.ts',
  hookrun: 'test/adapters/webhook/webhook-service.int.test.ts',
  hookset: 'test/config/webhook-settings.test.ts',
  mongo: 'test/fault/mongodb.fault.test.ts',
  kill: 'test/fault/lmdb/kill.fault.test.ts',
  evfault: 'test/fault/events.fault.test.ts',
  counter: 'test/adapters/mongodb/id-counter.int.test.ts',
  stream: 'test/adapters/nats/event-stream.int.test.ts',
  damage: 'test/adapters/lmdb/damage.test.ts',
  hstop: 'test/hostile/stop.hostile.test.ts',
  asyncapi: 'test/asyncapi.test.ts',
  model: 'test/adapters/lmdb/model.test.ts',
  role: 'test/adapters/mongodb/least-role.int.test.ts',
  notrun: 'test/support/containers/not-run.int.test.ts',
  prestart: 'test/prestart.test.ts',
} as const

/** A test: the file, and its title as the source has it. */
export type TestName = `${keyof typeof FILES}: ${string}`

export interface Row {
  /** A name that never changes. */
  readonly id: string
  readonly title: string
  readonly tests: readonly [TestName, ...TestName[]]
}

export interface Section {
  readonly name: string
  readonly rows: readonly Row[]
}

/** At least one test is needed, or the row does not compile. */
export const row = (id: string, title: string, ...tests: Row['tests']): Row => ({ id, title, tests })

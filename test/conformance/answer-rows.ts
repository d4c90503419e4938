// Decisions on answers, API keys, events and compatibility.
import { row, type Section } from './row.js'

export const ANSWERS: readonly Section[] = [
  {
    name: 'Answers',
    rows: [
      row('location', 'Location', 'create: returns the pet with its id, and its Location'),
      row(
        'addresses',
        'public addresses',
        'base: begin with PUBLIC_URL if it is set',
        'base: begin with the host of the request otherwise',
      ),
      row(
        'deprecation',
        'the deprecation of getPet',
        'get: is announced on the %s to %s %s',
        'get: is announced on 304, 401 and 403',
        'target: is refused with the headers of the route',
        'get: responds 410 for %s, with a valid key',
        'start: counts the requests that it answers in these metrics',
      ),
      row('orders', 'GET /store/orders', 'endpoint: returns no orders, and checks the limit'),
      row(
        '401',
        'challenges',
        'auth: is one with the Authorization %j',
        'auth: is invalid: %s',
        'twice: is invalid in two headers: %s',
      ),
      row('headers', 'headers of every answer', 'check: refuses %s', 'limits: may not be 101'),
      row(
        'request-id',
        'request ids and traces',
        'log: is taken over if it is sane: %s',
        'log: is made anew if it is not: %j',
        'log: continues the trace of %s',
        'trace: carries the traceparent of the request, and none without one',
      ),
      row(
        'help',
        'links to the help, on one line',
        'codes: has an anchor for each code, which errors link to',
        'twice: is one line with all relations: %s',
      ),
      row(
        '5xx',
        '500 and 503',
        'fail: causes a 500 at %s %s, with details only in the log',
        'fail: causes a 503 with Retry-After at %s %s',
      ),
      row(
        'open-paths',
        'paths without a key',
        'docs: serves %s without a key, under a policy that allows nothing from another host',
        'fail: is reported by /health/ready, not by /health/live',
        'start: logs the address of the metrics, with the real port, after that of the service',
      ),
      row(
        'codes',
        'the codes',
        'errors: are exactly the codes that the service sends',
        'codes: lists the codes of the table',
      ),
    ],
  },
  {
    name: 'API keys',
    rows: [
      row(
        'key-form',
        'the form of a key',
        'keytext: writes prefix, id, secret and check, and loses no bit of the secret',
        'keytext: detects every change of a single character',
        'newkey: creates a key from 8 and 32 random bytes, and stores it without its text',
      ),
      row(
        'key-life',
        'issue, rotate, revoke, expire',
        'cli: creates, lists, rotates and revokes keys, and prints each key once',
        'rotate: accepts both keys during the overlap, then only the successor',
        'auth: within five seconds after its revocation',
        'auth: when it expires',
      ),
      row(
        'scopes',
        'scopes',
        'auth: authorises %s %s only with the scope %s',
        'cli: prints only the key on stdout for people too, with all scopes by default',
      ),
      row(
        'secrets',
        'nothing that authenticates is shown',
        'log: never contains a secret, whatever fails',
        'log: says which key was refused, why, and from where, which the answer does not',
        'cli: prints no key that is given as another value',
      ),
    ],
  },
  {
    name: 'Events',
    rows: [
      row(
        'log',
        'written with the animal; final below a position',
        'eventlog: has no event of an add that returned `KeyTaken` or `IdTaken`',
        'eventlog: takes no pet below a position that it has given out',
        'law: shows every reader each event once, in order, whatever is drawn, added, lost and read in between',
      ),
      row(
        'relayed',
        'at least once, in order',
        'relay: publishes pending events in order, and moves on',
        'relay: keeps undelivered events pending, and counts an outage as no attempt',
        'lease: stands by, and takes over at once when the other one stops',
        'evfault: loses no event to repeated kill -9 between acknowledgement and mark',
      ),
      row(
        'cloud-event',
        'CloudEvents 1.0',
        'ce: contains the attributes and the pet as JSON, for any values',
        'ce: is identical for each delivery of an event',
        'ce: has the API text of the pet as its data',
        'asyncapi: accepts every event that is published',
      ),
      row(
        'webhook',
        'webhooks',
        'hook: sends one POST per event: a CloudEvent in structured mode, signed',
        'hook: signs with both secrets while one is replaced, so that a receiver may know either',
        'hook: sends one event at a time, in order, and stops at the first that is not delivered',
        'hook: takes %i for a refusal',
        'hook: follows no redirect: %i',
        'hook: honours Retry-After: %s',
        'hook: waits for the longest back-off when the webhook is gone, and says so once',
        'doubt: parks the event if the receiver takes the next one, which it tries once, after as many answers as refusals',
        'hookset: need a secret',
        'hookrun: sends events over TLS with secrets from a file, and shows neither them nor the path of the webhook',
      ),
      row(
        'type-prefix',
        'EVENTS_TYPE_PREFIX',
        'stream: separates the events of deployments with different prefixes on one broker',
      ),
    ],
  },
  {
    name: 'Compatibility',
    rows: [
      row(
        'compatible',
        'what v1 never changes',
        'openapi: allows no other members in Pet, but in NewPet',
        'errors: are exactly the codes that the service sends',
      ),
    ],
  },
]

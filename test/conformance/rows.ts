// Each clause of the interface, and each decision where it is silent. A test that holds a row ends its title with the row's name in
// brackets: `it('returns the pet [get-pet]', …)`. The names never change.

export interface Section {
  readonly name: string
  /** The promises by the names of their rows. */
  readonly rows: Readonly<Record<string, string>>
}

export const SECTIONS: readonly Section[] = [
  {
    name: 'The interface',
    rows: {
      'pet-status': 'PetStatus has three values',
      'new-pet': 'members of NewPet, two of them required',
      pet: 'members of Pet, and no others',
      'error-shape': 'an Error is code, message and status',
      'list-pets': 'GET /pets',
      limit: 'limit from 1 to 100, 20 by default',
      'status-filter': 'filter by status',
      'create-pet': 'POST /pets',
      'create-pet-400': 'a bad body is 400',
      'get-pet': 'GET /pets/{petId}',
      'get-pet-404': 'no such animal is 404',
      bearer: 'every operation needs a bearer key; 401 without a good one',
      versioning: 'description 1.0.0; getPet is deprecated until 2030',
    },
  },
  {
    name: 'Ground rules',
    rows: {
      'rule-1': 'exact success bodies',
      'rule-2': 'one error shape for every failure',
      'rule-3': 'new facts in headers, parameters and paths only',
      'rule-4': 'nothing is repaired; a refused request stores nothing',
      'rule-5': 'the clock changes nothing by itself',
    },
  },
  {
    name: 'Requests',
    rows: {
      'limit-forms': 'limit in another form',
      'status-forms': 'status in another form',
      unknown: 'unknown parameters and members',
      order: 'newest first',
      ids: 'ids ascend, across processes, and are never reused',
      paging: 'keyset pages with a sealed cursor',
      total: 'a total only on request',
      'id-filter': 'the id filter',
      name: 'names',
      'category-id': 'any int64, digit for digit',
      integers: 'integers in any notation, at no cost',
      'status-on-create': 'status on create',
      'pet-id': 'petId in another form is 404',
      body: 'media types, sizes and malformed JSON',
      accept: 'Accept never matters',
      retries: 'safe retries of POST',
      conditional: 'conditional reads, and creates under a condition',
      checks: 'order of checks',
      methods: 'HEAD, OPTIONS and others',
      rates: 'rate limits',
      overload: 'overload',
      'feed-pages': 'the feed as pages',
      'feed-stream': 'the feed as Server-Sent Events',
      'feed-positions': 'positions of the feed',
      'feed-listeners': 'many and slow listeners',
      cors: 'CORS',
    },
  },
  {
    name: 'Answers',
    rows: {
      location: 'Location',
      addresses: 'public addresses',
      deprecation: 'the deprecation of getPet',
      orders: 'GET /store/orders',
      '401': 'challenges',
      headers: 'headers of every answer',
      'request-id': 'request ids and traces',
      help: 'links to the help, on one line',
      '5xx': '500 and 503',
      'open-paths': 'paths without a key',
      codes: 'the codes',
    },
  },
  {
    name: 'API keys',
    rows: {
      'key-form': 'the form of a key',
      'key-life': 'issue, rotate, revoke, expire',
      scopes: 'scopes',
      secrets: 'nothing that authenticates is shown',
    },
  },
  {
    name: 'Events',
    rows: {
      log: 'written with the animal; final below a position',
      relayed: 'at least once, in order',
      'cloud-event': 'CloudEvents 1.0',
      webhook: 'webhooks',
      'type-prefix': 'EVENTS_TYPE_PREFIX',
    },
  },
  {
    name: 'Compatibility',
    rows: {
      compatible: 'what v1 never changes',
    },
  },
  {
    name: 'The commands',
    rows: {
      'first-start': 'the first start',
      'not-run': 'tests that could not run are named',
      'npm-start': 'npm start builds if needed',
      'cmd-keys': 'keys',
      'cmd-events': 'events',
      'cmd-seed': 'seed',
      'cmd-indexes': 'indexes',
      'cmd-check': 'check',
      'cmd-store': 'backup, verify, export, import',
      'cmd-help': '--help, --version, wrong usage',
      'cmd-memory': 'STORE=memory cannot be reached',
    },
  },
  {
    name: 'The environment',
    rows: {
      settings: 'every setting with its default',
      'bad-values': 'a bad value stops the start',
      'secret-files': 'values from files',
      timeouts: 'time for a request and for its headers',
    },
  },
  {
    name: 'While it runs',
    rows: {
      listening: 'the log, and where it listens',
      recovery: 'starts without its database or broker',
      probes: 'live and ready',
      stop: 'a stop',
      memory: 'STORE=memory',
      damage: 'damaged records',
      processes: 'several processes on one folder',
    },
  },
]

// What the log says about the broker and its stream; docs/events.md has the same table.
export const NATS_NOTICES = {
  connected: { level: 'info', message: 'connected to the event broker' },
  lost: { level: 'warn', message: 'lost the event broker' },
  unreachable: { level: 'warn', message: 'cannot reach the event broker' },
  unanswered: { level: 'warn', message: 'the event stream cannot be looked up' },
  refused: { level: 'error', message: 'the event stream cannot be found or created' },
  created: { level: 'info', message: 'the event stream has been created' },
  recreated: { level: 'error', message: 'the event stream was gone and has been created again: replay its events' },
} as const

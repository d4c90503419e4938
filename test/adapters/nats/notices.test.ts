import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { CONNECTION_NOTICES } from '../../../src/adapters/nats/connection.js'
import { STREAM_NOTICES } from '../../../src/adapters/nats/event-stream.js'
import { OUTAGE_NOTICES, RECOVERED } from '../../../src/adapters/relay/waiting.js'

it('has a row for each message, with its level', async () => {
  const page = await readFile('docs/events.md', 'utf8')
  const rows = [...page.matchAll(/^\| `(info|warn|error)` \| `([^`]+)` \|/gm)].map(([, level, message]) => ({
    level,
    message,
  }))
  const notices = [CONNECTION_NOTICES, STREAM_NOTICES, OUTAGE_NOTICES]
    .flatMap((all) => Object.values<object>(all))
    .concat(RECOVERED)
  expect(new Set(rows)).toStrictEqual(new Set(notices))
  expect(rows).toHaveLength(notices.length)
})

// docs/events.md names each message about the delivery of events, with its level.
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { NATS_NOTICES } from '../../../src/adapters/nats/notices.js'
import { OUTAGE_NOTICES, RECOVERED } from '../../../src/adapters/relay/outage-report.js'

it('has a row for each message, with its level', async () => {
  const page = await readFile('docs/events.md', 'utf8')
  const rows = [...page.matchAll(/^\| `(info|warn|error)` \| `([^`]+)` \|/gm)].map(([, level, message]) => ({
    level,
    message,
  }))
  const notices = [...Object.values(NATS_NOTICES), ...Object.values(OUTAGE_NOTICES), RECOVERED]
  expect(new Set(rows)).toStrictEqual(new Set(notices))
  expect(rows).toHaveLength(notices.length)
})

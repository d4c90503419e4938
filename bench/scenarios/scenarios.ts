// All scenarios, in the order in which they are run and documented.
import { embedded } from './embedded.js'
import { events } from './events.js'
import { fairness } from './fairness.js'
import { feed } from './feed.js'
import { growth } from './growth/scenario.js'
import { http } from './http/scenario.js'
import { mongodb } from './mongodb.js'
import type { Scenario } from './scenario.js'
import { stalls } from './stalls.js'
import { start } from './start.js'

export const SCENARIOS: readonly Scenario[] = [http, fairness, stalls, embedded, mongodb, events, feed, start, growth]

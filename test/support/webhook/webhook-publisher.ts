// Opens a publisher to a webhook and closes it when the test ends.
import { onTestFinished } from 'vitest'
import { systemClock } from '../../../src/adapters/node/system.js'
import { makeWebhookPublisher } from '../../../src/adapters/webhook/event-publisher.js'
import type { PetCreated } from '../../../src/domain/events/domain-event.js'
import type { Clock } from '../../../src/ports/clock.js'

export const SETTINGS = { source: 'http://localhost/v1', typePrefix: 'org.example' }

export const openWebhook = (url: string, secrets: readonly string[], clock: Clock = systemClock) => {
  const publisher = makeWebhookPublisher({ url, secrets }, { ...SETTINGS, clock })
  onTestFinished(publisher.close)
  return { publisher, publish: (...events: readonly PetCreated[]) => publisher.publish(events)() }
}

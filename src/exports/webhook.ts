// The entry point `animal-store/webhook`: events to a webhook, signed by Standard Webhooks.
export {
  makeWebhookPublisher,
  type WebhookAddress,
  type WebhookPublisher,
} from '../adapters/webhook/event-publisher.js'
export { type WebhookUrl, webhookSecrets, webhookUrl } from '../config/events-url.js'

// The entry point `animal-store/webhook`: events to a webhook, signed by Standard Webhooks.
export * from '../adapters/webhook/event-publisher.js'
export { type WebhookUrl, webhookSecrets, webhookUrl } from '../config/events-url.js'

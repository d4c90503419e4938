// The entry point `animal-store/memory`: every port in plain maps, for tests and demos.
export { makeInProcessPublisher, type Subscriber } from '../adapters/memory/event-publisher.js'
export { makeMemoryStore } from '../adapters/memory/store.js'

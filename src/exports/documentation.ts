// The entry point `animal-store/documentation`: the pages and descriptions that a fetch handler can serve.
export { documentation } from '../adapters/http/endpoints/documentation.js'
export type { Documentation } from '../adapters/http/route.js'

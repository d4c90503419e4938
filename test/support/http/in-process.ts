// Fetch handlers without a socket, at addresses that no name server knows.
import { inject } from 'vitest'
import type { FetchHandler } from '../../../src/adapters/http/fetch/app.js'

declare module 'vitest' {
  export interface ProvidedContext {
    /** What the HTTP suites run on in this project; a Node server if absent. */
    runtime?: 'fetch'
  }
}

export const isInProcess = (): boolean => inject('runtime') === 'fetch'

const handlers = new Map<string, FetchHandler>()
let count = 0

export const addressOf = (handler: FetchHandler): string => {
  count += 1
  const address = `http://pets-${count}.test`
  handlers.set(address, handler)
  return address
}

export const forget = (address: string): void => void handlers.delete(address)

export const send = async (url: URL, init: RequestInit): Promise<Response> => {
  const handler = handlers.get(url.origin)
  return handler === undefined ? fetch(url, init) : handler(new Request(url, init))
}

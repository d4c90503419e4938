// Services without a socket: the fetch handlers that stand behind addresses which no name server knows.
import { inject } from 'vitest'
import type { FetchHandler } from '../../../src/adapters/http/fetch/app.js'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Over what the suites of HTTP run in this project: a server of Node unless it is the handler. */
    runtime?: 'fetch'
  }
}

export const isInProcess = (): boolean => inject('runtime') === 'fetch'

const handlers = new Map<string, FetchHandler>()
let count = 0

/** The address at which `send` calls this handler. */
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

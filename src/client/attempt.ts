// One attempt: a request and its complete reply, within a time limit.
import { type Call, requestOf } from './call.js'
import type { ClientError } from './client-error.js'
import type { Platform } from './platform.js'
import { type Reply, readReply } from './reply.js'
import { failed, type Result } from './result.js'

export interface AttemptSettings {
  readonly apiKey: string
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
}

const textOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

export const aborted = (signal: AbortSignal): ClientError => ({
  _tag: 'aborted',
  message: 'the caller aborted the call',
  cause: signal.reason,
})

/** Resolves to the reply, or to the reason why there is none. Never rejects, and ends in time even if `fetch` ignores its signal. */
export const attempt = (
  platform: Pick<Platform, 'fetch' | 'now' | 'schedule'>,
  call: Call,
  { apiKey, timeoutMs, signal }: AttemptSettings,
): Promise<Result<Reply>> =>
  new Promise((resolve) => {
    const controller = new AbortController()
    const finish = (result: Result<Reply>): void => {
      cancelTimer()
      signal?.removeEventListener('abort', onAbort)
      resolve(result)
    }
    const giveUp = (error: ClientError): void => {
      finish(failed(error))
      controller.abort()
    }
    const cancelTimer = platform.schedule(timeoutMs, () => {
      giveUp({ _tag: 'timeout', message: `no reply within ${Math.round(timeoutMs)} ms`, timeoutMs })
    })
    const onAbort = (): void => {
      if (signal !== undefined) giveUp(aborted(signal))
    }
    signal?.addEventListener('abort', onAbort)
    if (signal?.aborted === true) {
      onAbort()
      return
    }

    const request = requestOf(call, apiKey, controller.signal)
    if (!request.ok) {
      finish(request)
      return
    }
    const exchange = async (): Promise<Result<Reply>> => {
      const response = await platform.fetch(request.value)
      return readReply(response, await response.text(), platform.now())
    }
    exchange().then(finish, (cause: unknown) => {
      finish(failed({ _tag: 'network', message: textOf(cause), cause }))
    })
  })

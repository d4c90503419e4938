// Listeners of a fetch handler that leave: the runtime tells it by a signal, or by a reader that cancels, or by both.
import { expect, it, vi } from 'vitest'
import { makeFetchHandler } from '../../../../src/composition/make-fetch-handler.js'
import { DEFAULT_HANDLER } from '../../../../src/composition/use-cases.js'
import type { RequestReport } from '../../../../src/ports/observer.js'
import { makeWorld } from '../../../support/domain/domain-world.js'
import { issueApiKey } from '../../../support/domain/issue-api-key.js'
import { useFakeTimers } from '../../../support/runner/fake-timers.js'

/** A handler with room for one listener. */
const start = async () => {
  const world = makeWorld()
  const reports: RequestReport[] = []
  const observer = { responded: (report: RequestReport) => void reports.push(report), failed: () => expect.fail() }
  const handle = makeFetchHandler(world, { ...DEFAULT_HANDLER, observer, maxStreams: 1 })
  const { text } = await issueApiKey(world)
  const headers = { Authorization: `Bearer ${text}`, Accept: 'text/event-stream' }
  const listen = (signal: AbortSignal | null = null) =>
    handle(new Request('https://pets.example/v1/events', { headers, signal }))
  return { listen, reports, world }
}

it('a listener that has left before its stream begins takes no place, and is reported [feed-listeners]', async () => {
  const { listen, reports } = await start()
  const { body } = await listen(AbortSignal.abort())
  expect(reports).toMatchObject([{ status: 200, bytes: 0, events: 0 }])
  const other = await listen()
  expect(other.status).toBe(200)
  expect(await body?.getReader().read()).toMatchObject({ done: true })
  await other.body?.cancel()
})

it('a listener whose leaving is told twice gives up one place, and is reported once [feed-listeners]', async () => {
  const { listen, reports } = await start()
  const leaving = new AbortController()
  const { body } = await listen(leaving.signal)
  leaving.abort()
  const other = await listen()
  await body?.cancel()
  expect(reports).toHaveLength(1)
  expect((await listen()).status).toBe(503)
  await other.body?.cancel()
})

it('the last listener that leaves ends the reads of the log [feed-listeners]', async () => {
  useFakeTimers()
  const { listen, world } = await start()
  const { body } = await listen()
  const reader = body?.getReader()
  await reader?.read()
  const waiting = reader?.read()
  await vi.advanceTimersByTimeAsync(100)
  await reader?.cancel()
  await waiting
  const read = vi.spyOn(world.log, 'read')
  await vi.advanceTimersByTimeAsync(2_000)
  expect(read).not.toHaveBeenCalled()
})

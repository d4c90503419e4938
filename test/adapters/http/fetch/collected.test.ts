// What a handler still does after a garbage collection has taken everything that nobody holds.
import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { makeFetchHandler } from '../../../../src/composition/make-fetch-handler.js'
import { DEFAULT_HANDLER } from '../../../../src/composition/use-cases.js'
import { makeWorld } from '../../../support/domain/domain-world.js'
import { issueApiKey } from '../../../support/domain/issue-api-key.js'
import { makeGate } from '../../../support/runner/gate.js'
import { collectGarbage } from '../../../support/runner/open-files.js'

const collectAll = async (): Promise<void> => {
  for (let round = 0; round < 3; round += 1) {
    for (let at = 0; at < 5; at += 1) await turn()
    collectGarbage()
  }
}

it('hears that a client has left whose request nobody else holds, and then holds it no more', async () => {
  const world = makeWorld()
  const handle = makeFetchHandler(world, DEFAULT_HANDLER)
  const { text } = await issueApiKey(world)
  const leaving = new AbortController()
  const asked = makeGate()
  const statuses: number[] = []
  const send = () => {
    const headers = { Authorization: `Bearer ${text}`, 'Content-Type': 'application/json' }
    const body = new ReadableStream({ pull: asked.open }, { highWaterMark: 0 })
    const request = new Request('https://pets.example/v1/pets', {
      method: 'POST',
      headers,
      body,
      duplex: 'half',
      signal: leaving.signal,
    })
    void handle(request).then(({ status }) => statuses.push(status))
    return new WeakRef(request)
  }
  const request = send()
  await asked.opened
  await collectAll()
  leaving.abort()
  await expect.poll(() => statuses).toEqual([400])
  await collectAll()
  expect(request.deref()).toBeUndefined()
})

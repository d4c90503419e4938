import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { webPlatform } from '../../src/client/platform.js'
import { range } from '../../src/testing/samples.js'
import { useFakeTimers } from '../support/runner/fake-timers.js'
import { PET, type Scripted, scripted, unavailable } from './scripted-service.js'

const REX = { name: 'Rex', categoryId: 1n }

describe('an abort', () => {
  it.each<[string, Scripted, number]>([
    ['before', new Response(PET), 0],
    ['during an attempt', 'silent', 5],
    ['between two attempts', unavailable('3'), 5],
  ])('ends the call at once: %s', async (_, reply, afterMs) => {
    const { client, time } = scripted([reply])
    const controller = new AbortController()
    const reason = new Error('changed my mind')
    if (afterMs === 0) controller.abort(reason)
    else time.schedule(afterMs, () => controller.abort(reason))
    const result = await time.whole(client.createPet(REX, { signal: controller.signal }))
    expect(result).toMatchObject({ ok: false, error: { _tag: 'aborted', cause: reason } })
    expect(time.now()).toBe(afterMs)
  })

  it('ends the call at once: after an attempt, before its wait begins', async () => {
    const controller = new AbortController()
    const random = (): number => {
      controller.abort('changed my mind')
      return 0.5
    }
    const { client, seen, time } = scripted([unavailable('3')], { platform: { random } })
    const result = await time.whole(client.createPet(REX, { signal: controller.signal }))
    expect(result).toMatchObject({ ok: false, error: { _tag: 'aborted', cause: 'changed my mind' } })
    expect([seen.length, time.now()]).toStrictEqual([1, 0])
  })

  it('may be that of many calls at once: Node reports no leak of listeners', async () => {
    const warned = vi.fn<(warning: Error) => void>()
    process.on('warning', warned)
    onTestFinished(() => void process.off('warning', warned))
    const { client, time } = scripted(['silent', new Response('[]')])
    const { signal } = new AbortController()
    await time.whole(Promise.all(range(1, 11).map(() => client.listPets({}, { signal }))))
    expect(warned.mock.calls).toStrictEqual([])
  })

  it('ends all calls that share its signal, which has one listener while there are any', async () => {
    const { client, time } = scripted([new Response('[]'), 'silent'])
    const controller = new AbortController()
    const { signal } = controller
    const changes = [vi.spyOn(signal, 'addEventListener'), vi.spyOn(signal, 'removeEventListener')]
    await time.whole(client.listPets({}, { signal }))
    const both = Promise.all([client.listPets({}, { signal }), client.listPets({}, { signal })])
    controller.abort('stop')
    const aborted = { ok: false, error: { _tag: 'aborted', cause: 'stop' } }
    expect(await time.whole(both)).toMatchObject([aborted, aborted])
    for (const change of changes) expect(change).toHaveBeenCalledTimes(2)
  })
})

it('a wait ends after 24 days at the latest, the longest delay of a timer', () => {
  useFakeTimers()
  const run = vi.fn<() => void>()
  webPlatform.schedule(Number.POSITIVE_INFINITY, run)
  const cancel = webPlatform.schedule(2 ** 32, run)
  vi.advanceTimersByTime(1)
  expect(run).not.toHaveBeenCalled()
  cancel()
  vi.advanceTimersByTime(2 ** 31)
  expect(run).toHaveBeenCalledOnce()
})

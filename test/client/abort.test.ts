import { describe, expect, it, vi } from 'vitest'
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

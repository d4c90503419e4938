// The end of a wait between two attempts: the deadline, and a signal.
import { describe, expect, it } from 'vitest'
import { created, scripted, unavailable } from './scripted-service.js'

describe('the wait for the next attempt', () => {
  const REX = { name: 'Rex', categoryId: 1n }

  it('is not begun if it ends at the deadline', async () => {
    const { client, seen, time } = scripted([unavailable('5'), created()], {
      timeoutMs: 5_000,
      platform: { random: () => 0 },
    })
    expect(await time.whole(client.createPet(REX))).toMatchObject({ ok: false, error: { status: 503 } })
    expect([seen.length, time.now()]).toStrictEqual([1, 0])
  })

  it('is followed by no attempt if it took until the deadline', async () => {
    const scene = scripted([unavailable('1'), created()], {
      timeoutMs: 5_000,
      platform: {
        random: () => 0,
        schedule: (delayMs, run) => scene.time.schedule(delayMs === 1_000 ? 5_000 : delayMs, run),
      },
    })
    expect(await scene.time.whole(scene.client.createPet(REX))).toMatchObject({ ok: false, error: { status: 503 } })
    expect([scene.seen.length, scene.time.now()]).toStrictEqual([1, 5_000])
  })

  it('is waited with a signal that nobody aborts', async () => {
    const { client, seen, time } = scripted([unavailable(), created()])
    const { signal } = new AbortController()
    expect(await time.whole(client.createPet(REX, { signal }))).toMatchObject({ ok: true })
    expect(seen).toHaveLength(2)
  })
})

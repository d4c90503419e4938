// Faults of MongoDB, the network and the service under load: no acknowledged pet is lost or duplicated.
import { setTimeout as sleep } from 'node:timers/promises'
import { MongoClient } from 'mongodb'
import { beforeAll, expect, it } from 'vitest'
import { mongodbContainer } from '../support/containers/containers.js'
import { describeWith } from '../support/containers/describe-with.js'
import { launchSteered, type SteeredContainer } from '../support/containers/steered-container.js'
import { losingReplies } from '../support/mongodb/wire-taps.js'
import { freePort } from '../support/network/free-port.js'
import { launchProxy, type TcpProxy } from '../support/network/tcp-proxy.js'
import { issueKey, launchServiceProcess } from '../support/processes/service-process.js'
import { boundMs, byNight } from '../support/runner/night.js'
import { type PetLedger, startLoad } from '../support/stores/pet-ledger.js'

const RECOVERY_LIMIT_MS = boundMs(3_000)
const ROUNDS = byNight([1, 2, 3], [1])
/** The gate has one fault that outlasts the 5 s limit of a request: the half-open network. */
const CUT_MS = byNight(4_000, 1_000)
const WORKERS = 16

describeWith('mongodb-container', 'the service on a failing MongoDB', () => {
  let host: number
  let server: SteeredContainer
  let proxy: TcpProxy
  let service: Awaited<ReturnType<typeof launchServiceProcess>>
  let settings: Readonly<Record<string, string>>
  let apiKey: string
  // replies to writes that pass before one is lost
  let untilLoss = Number.POSITIVE_INFINITY

  beforeAll(async () => {
    host = await freePort()
    server = await launchSteered(mongodbContainer(), { container: 27_017, host })
    proxy = await launchProxy(
      host,
      losingReplies((command) => {
        if (command !== 'insert' && command !== 'findAndModify') return false
        untilLoss -= 1
        return untilLoss === 0
      }),
    )
    const uri = `mongodb://127.0.0.1:${proxy.port}/animal_store_test?directConnection=true`
    settings = { MONGODB_URI: uri, PORT: String(await freePort()) }
    apiKey = await issueKey(settings)
    service = await launchServiceProcess(settings)
    return async () => {
      await service.end('SIGKILL')
      await proxy.close()
      await server.remove()
    }
  })

  const isReady = () =>
    fetch(new URL('/health/ready', service.url), { signal: AbortSignal.timeout(5_000) }).then(
      ({ status }) => status === 200,
      () => false,
    )
  const readiness = async (wanted: boolean): Promise<void> => {
    while ((await isReady()) !== wanted) await sleep(20)
  }

  const restart = async (): Promise<void> => {
    await server.start()
    const client = new MongoClient(`mongodb://127.0.0.1:${host}/?directConnection=true`)
    await client.db('admin').command({ ping: 1 })
    await client.close()
  }

  /** After a fault, the service is soon ready, creates pets again and has kept every acknowledged pet. */
  const reckon = async (load: PetLedger): Promise<void> => {
    const begin = performance.now()
    await readiness(true)
    await load.more(1)
    expect(performance.now() - begin).toBeLessThan(RECOVERY_LIMIT_MS)
    await load.more(50)
    await load.stop()
    await load.check()
  }

  const lasting = (milliseconds: number, begin: () => unknown, end: () => unknown) => async () => {
    await begin()
    await Promise.all([sleep(milliseconds), readiness(false)])
    await end()
  }
  const passing = (milliseconds: number, begin: () => void) => async () => {
    begin()
    await sleep(milliseconds)
    proxy.heal()
  }
  const loseReplies = async (): Promise<void> => {
    for (let n = 1; n <= byNight(40, 12); n += 1) {
      untilLoss = n
      while (untilLoss > 0) await sleep(1)
    }
  }
  const restartService = async (): Promise<void> => {
    await service.end('SIGKILL')
    service = await launchServiceProcess(settings)
  }
  const kill = () => server.kill()
  const pause = () => server.pause()
  const resume = () => server.resume()
  const cut = () => proxy.cut()
  const heal = () => proxy.heal()

  // `absent` must not occur; 0 stands for a request without a response
  it.each<readonly [fault: string, happens: () => Promise<unknown>, absent: number]>([
    ...ROUNDS.map((round) => [`kill -9 of the database, round ${round}`, lasting(0, kill, restart), 0] as const),
    ['pause of the database', lasting(byNight(10_000, 3_000), pause, resume), 0],
    ['network cut', lasting(CUT_MS, cut, heal), 0],
    ...byNight([500, 2_000, 6_000], [6_000]).map(
      (ms) => [`network half-open for ${ms} ms`, passing(ms, () => proxy.freeze()), 0] as const,
    ),
    ...byNight([20, 100, 1_000], [100]).map(
      (ms) => [`network late by ${ms} ms in each direction`, passing(CUT_MS, () => proxy.delay(ms)), 0] as const,
    ),
    ['loss of the n-th reply to a write after its commit, for each n', loseReplies, 0],
    ...ROUNDS.map((round) => [`kill -9 of the service, round ${round}`, restartService, 503] as const),
  ])('survives a %s', async (_, happens, absent) => {
    const load = startLoad(service.url, apiKey, WORKERS)
    await load.more(50)
    await happens()
    await reckon(load)
    expect(load.count(absent)).toBe(0)
  })

  it('starts without its database and connects later [recovery]', async () => {
    await service.end('SIGTERM')
    await server.kill()
    service = await launchServiceProcess(settings)
    expect(await isReady()).toBe(false)
    const load = startLoad(service.url, apiKey, WORKERS)
    while (load.count(503) < WORKERS) await sleep(10)
    await restart()
    await reckon(load)
  })
})

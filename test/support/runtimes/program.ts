// The program of another runtime: services of the package over ports in memory. Tests start and steer them by orders, and call them by
// the name in `Host`. test/package/http-suite.pack.test.ts bundles it, with the packed package in place of our sources.
import { DEFAULT_HANDLER, makeFetchHandler } from '../../../src/composition/make-fetch-handler.js'
import { makeWorld, type World } from '../domain/domain-world.js'
import type { Order, PortName } from './order.js'
import { fromWire, toWire } from './wire.js'

type Handler = ReturnType<typeof makeFetchHandler>
type Documentation = (typeof DEFAULT_HANDLER)['documentation']

interface Running {
  readonly world: World
  readonly handle: Handler
  readonly stopping: AbortController
}

const callPort = async (port: World[PortName], member: string, words: readonly unknown[]): Promise<unknown> => {
  const called: unknown = Reflect.get(port, member)
  if (typeof called !== 'function') throw new Error(`no such member: ${member}`)
  const result: unknown = Reflect.apply(called, port, words)
  return typeof result === 'function' ? Reflect.apply(result, undefined, []) : result
}

export const makeProgram = (documentation: Documentation): Handler => {
  const services = new Map<string, Running>()

  const obey = async (order: Order): Promise<unknown> => {
    if (order.what === 'start') {
      const world = makeWorld()
      const stopping = new AbortController()
      const settings = { ...DEFAULT_HANDLER, documentation, ...order.settings, stopping: stopping.signal }
      services.set(order.host, { world, stopping, handle: makeFetchHandler(world, settings) })
      return undefined
    }
    const running = services.get(order.host)
    if (running === undefined) throw new Error(`no such service: ${order.host}`)
    const { world, stopping } = running
    switch (order.what) {
      case 'stop':
        stopping.abort()
        return undefined
      case 'end':
        stopping.abort()
        return services.delete(order.host)
      case 'clock':
        world.clock[order.member](order.milliseconds)
        return undefined
      case 'port':
        return callPort(world[order.port], order.member, order.words)
    }
  }

  return async (request) => {
    const service = services.get(new URL(request.url).hostname)
    if (service !== undefined) return service.handle(request)
    try {
      return new Response(toWire(await obey(fromWire(await request.text()) as Order)))
    } catch (error) {
      return new Response(String(error), { status: 500 })
    }
  }
}

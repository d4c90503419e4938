// The servers of the HTTP comparison, filled with the same pets and checked for equal answers.
import { Agent } from 'node:http'
import { BASE_URL, createRequest, fieldsOf, learn } from '../../method/learn.js'
import { pathOf, SERVICE } from '../../method/paths.js'
import { ask, type HttpAnswer } from '../../method/request.js'
import { expectSameAnswer } from '../../method/same-answer.js'
import { type Server, type ServerSpec, withServers } from '../../method/server-process.js'
import { type Operation, operations } from './operations.js'

const PETS = 1_000

const PEERS = { Fastify: 'bench/dist/fastify.js', 'plain Koa': 'bench/dist/koa.js' }

/** Sequential, so that the n-th pet has the same id on each server. */
const fill = async ({ port }: Server, key: string, count: number): Promise<void> => {
  const agent = new Agent({ keepAlive: true })
  for (let n = 0; n < count; n += 1) {
    const { status, body } = await ask(port, createRequest(key), agent)
    if (status !== 201) throw new Error(`a pet was refused: ${status} ${body}`)
  }
  agent.destroy()
}

/** node:http, with the service's own answers as constants. */
const bareSpec = (all: readonly Operation[], answers: ReadonlyMap<Operation, HttpAnswer>): ServerSpec => {
  const constants = all.flatMap((operation) => {
    if (operation.isConstant !== true) return []
    const { method, path } = operation.request
    const answer = answers.get(operation)
    if (answer === undefined) return []
    return [[`${method} ${path}`, { status: answer.status, headers: fieldsOf(answer).flat(), body: answer.body }]]
  })
  const ready = ['GET /health/ready', { status: 200, headers: [], body: '' }]
  const environment = { ANSWERS: JSON.stringify(Object.fromEntries([...constants, ready])) }
  return { name: 'node:http', program: [pathOf('bench/dist/bare.js')], environment }
}

export interface Contest {
  readonly operations: readonly Operation[]
  readonly serversOf: (operation: Operation) => readonly Server[]
}

/** Checks each server's answer to each operation before `work` begins. */
export const withContest = <A>(work: (contest: Contest) => Promise<A>): Promise<A> =>
  withServers(async (start) => {
    const memory = { STORE: 'memory', PUBLIC_URL: BASE_URL }
    const service = await start({ name: 'animal-store', program: [SERVICE, 'serve'], environment: memory })
    const key = await service.printed(/(ast_live_\w+)/)
    const environment = await learn(service, key)
    await fill(service, key, PETS - 1)
    const all = operations(key)
    const answers = new Map<Operation, HttpAnswer>()
    for (const operation of all) {
      const answer = await ask(service.port, operation.request)
      if (answer.status !== operation.status) throw new Error(`${operation.name}: ${answer.status} ${answer.body}`)
      answers.set(operation, answer)
    }

    const bare = await start(bareSpec(all, answers))
    const peers: Server[] = []
    for (const [name, file] of Object.entries(PEERS)) {
      const peer = await start({ name, program: [pathOf(file)], environment })
      await fill(peer, key, PETS)
      peers.push(peer)
    }
    const peersIn = (operation: Operation): readonly Server[] =>
      operation.isConstant === true ? [bare, ...peers] : peers
    for (const [operation, expected] of answers) {
      for (const peer of peersIn(operation)) {
        expectSameAnswer(`${peer.name}: ${operation.name}`, expected, await ask(peer.port, operation.request))
      }
    }
    return work({ operations: all, serversOf: (operation) => [...peersIn(operation), service] })
  })

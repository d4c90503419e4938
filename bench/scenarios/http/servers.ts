// The servers of the HTTP comparison, filled with the same pets and seen to give the same answers.
import { Agent } from 'node:http'
import { SERVICE } from '../../method/paths.js'
import { ask, type HttpAnswer } from '../../method/request.js'
import { expectSameAnswer } from '../../method/same-answer.js'
import { type Server, withServers } from '../../method/server-process.js'
import { type Operation, operations, PETS, petBody } from './operations.js'
import { BASE_URL, bareSpec, peerSpecs } from './peers.js'

/** A fill that is sequential, so that each server gives the n-th pet the same id. */
const fill = async ({ port }: Server, key: string): Promise<void> => {
  const agent = new Agent({ keepAlive: true })
  for (let n = 1; n <= PETS; n += 1) {
    const { status, body } = await ask(port, { method: 'POST', path: '/v1/pets', key, body: petBody(n) }, agent)
    if (status !== 201) throw new Error(`a pet was refused: ${status} ${body}`)
  }
  agent.destroy()
}

const answersOf = async ({ port }: Server, all: readonly Operation[]): Promise<ReadonlyMap<string, HttpAnswer>> => {
  const answers = new Map<string, HttpAnswer>()
  for (const { name, request, status } of all) {
    const answer = await ask(port, request)
    if (answer.status !== status) throw new Error(`${name}: wanted ${status}, got ${answer.status} ${answer.body}`)
    answers.set(name, answer)
  }
  return answers
}

/** Whether the server of constant bytes takes part: it refuses nothing. */
const isConstant = ({ name }: Operation): boolean => ['list of 20', 'by id', 'create'].includes(name)

export interface Contest {
  readonly operations: readonly Operation[]
  /** Those of the servers that take part in an operation. */
  readonly serversOf: (operation: Operation) => readonly Server[]
}

/** Starts the service and its peers, and has each answer each operation before the work begins. */
export const withContest = <A>(work: (contest: Contest) => Promise<A>): Promise<A> =>
  withServers(async (start) => {
    const environment = { STORE: 'memory', PUBLIC_URL: BASE_URL }
    const service = await start({ name: 'animal-store', program: [SERVICE, 'serve'], environment })
    const key = await service.printed(/(ast_live_\w+)/)
    await fill(service, key)
    const all = operations(key)
    const answers = await answersOf(service, all)
    const answerTo = (name: string): HttpAnswer => {
      const answer = answers.get(name)
      if (answer === undefined) throw new Error(`no operation ${name}`)
      return answer
    }

    const bare = await start(bareSpec(all.filter(isConstant), answerTo))
    const peers: Server[] = []
    for (const spec of peerSpecs(key, answerTo)) {
      const peer = await start(spec)
      await fill(peer, key)
      peers.push(peer)
    }
    const peersIn = (operation: Operation): readonly Server[] => (isConstant(operation) ? [bare, ...peers] : peers)
    for (const operation of all) {
      for (const peer of peersIn(operation)) {
        const answer = await ask(peer.port, operation.request)
        expectSameAnswer(`${peer.name}: ${operation.name}`, answerTo(operation.name), answer)
      }
    }
    return work({ operations: all, serversOf: (operation) => [...peersIn(operation), service] })
  })

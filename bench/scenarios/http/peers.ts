// The peers of the HTTP comparison. Texts and constant headers are read from the running service, so that they stay the same
// when the service changes them.
import { createHash } from 'node:crypto'
import { pathOf } from '../../method/paths.js'
import type { HttpAnswer } from '../../method/request.js'
import type { ServerSpec } from '../../method/server-process.js'
import type { PeerSettings, Refusal } from '../../servers/peer.js'
import type { Operation } from './operations.js'

export const BASE_URL = 'http://127.0.0.1:8080/v1'

type Fields = Refusal['headers']

/** Node's own headers. */
const OF_THE_CONNECTION = /^(?:date|connection|keep-alive)$/i

/** What a peer works out for each answer. */
const COMPUTED = /^(?:etag|location|x-request-id|content-length)$/i

const fieldsOf = ({ rawHeaders }: HttpAnswer): Fields =>
  Array.from(
    { length: rawHeaders.length / 2 },
    (_, at) => [rawHeaders[2 * at] ?? '', rawHeaders[2 * at + 1] ?? ''] as const,
  ).filter(([name]) => !OF_THE_CONNECTION.test(name))

const constantFields = (answer: HttpAnswer): Fields =>
  fieldsOf(answer).filter(([name, value]) => !COMPUTED.test(name) && !value.includes('cursor='))

const refusal = (answer: HttpAnswer): Refusal => ({ headers: constantFields(answer), body: answer.body })

/** The answer of the service to the operation of this name. */
export type AnswerTo = (operation: string) => HttpAnswer

/** The servers that do the same work. */
export const peerSpecs = (key: string, answerTo: AnswerTo): readonly ServerSpec[] => {
  const settings: PeerSettings = {
    baseUrl: BASE_URL,
    keyId: key.split('_')[2] ?? '',
    keyHash: createHash('sha256').update(key).digest('hex'),
    headers: {
      list: constantFields(answerTo('list of 20')),
      one: constantFields(answerTo('by id')),
      created: constantFields(answerTo('create')),
    },
    invalidKey: refusal(answerTo('401')),
    invalidPet: refusal(answerTo('400')),
  }
  const environment = { PEER_SETTINGS: JSON.stringify(settings) }
  return [
    { name: 'Fastify', program: [pathOf('bench/dist/fastify.js')], environment },
    { name: 'plain Koa', program: [pathOf('bench/dist/koa.js')], environment },
  ]
}

/** node:http with the service's own answers as constants. */
export const bareSpec = (operations: readonly Operation[], answerTo: AnswerTo): ServerSpec => {
  const answers = operations.map(({ name, request: { method, path } }) => {
    const answer = answerTo(name)
    return [`${method} ${path}`, { status: answer.status, headers: fieldsOf(answer).flat(), body: answer.body }]
  })
  const ready = ['GET /health/ready', { status: 200, headers: [], body: '' }]
  const environment = { ANSWERS: JSON.stringify(Object.fromEntries([...answers, ready])) }
  return { name: 'node:http', program: [pathOf('bench/dist/bare.js')], environment }
}

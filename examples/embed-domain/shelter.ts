// A shelter's own service: its own framework, routes and responses around the domain of animal-store.

import {
  type AddPetInput,
  addPet,
  getPet,
  int64FromPlainText,
  type Pet,
  type Ports,
  parseJson,
  petJson,
} from 'animal-store'
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import * as O from 'fp-ts/lib/Option.js'

const plain = (reply: FastifyReply, status: number, text: string): FastifyReply =>
  reply.code(status).type('text/plain; charset=utf-8').send(`${text}\n`)

const shown = (pet: Pet): string => `${pet.name} lives here as number ${pet.id}`

export const makeShelter = (ports: Pick<Ports, 'pets' | 'ids' | 'clock' | 'crypto'>): FastifyInstance => {
  const app = Fastify()
  // Fastify's parser would round long numbers
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_, text, done) => {
    const body = parseJson(String(text))
    if (body._tag === 'Right') done(null, body.right)
    else done(Object.assign(new Error(body.left.reason), { statusCode: 400 }))
  })
  const add = addPet(ports)
  const get = getPet(ports)

  const takeIn = async (input: AddPetInput, reply: FastifyReply): Promise<FastifyReply> => {
    const outcome = await add(input)()
    if (outcome._tag === 'Right') return plain(reply, 201, shown(outcome.right.pet))
    switch (outcome.left._tag) {
      case 'ValidationFailed':
        return plain(reply, 422, outcome.left.faults.map(({ pointer, reason }) => `${pointer} ${reason}`).join('\n'))
      case 'IdempotencyKeyReused':
        return plain(reply, 409, 'another animal came under this form')
      case 'Unavailable':
        return plain(reply, 503, 'come back later')
    }
  }

  app.post<{ Body: unknown }>('/animals', (request, reply) =>
    takeIn({ newPet: request.body, idempotencyKey: O.none }, reply),
  )

  app.get<{ Params: { readonly id: string } }>('/animals/:id', async (request, reply) => {
    const id = int64FromPlainText(request.params.id)
    const outcome = O.isSome(id) ? await get(id.value)() : undefined
    if (outcome?._tag === 'Right') return reply.type('application/json').send(petJson(outcome.right))
    return outcome?.left._tag === 'Unavailable' ? plain(reply, 503, 'come back later') : plain(reply, 404, 'not here')
  })

  return app
}

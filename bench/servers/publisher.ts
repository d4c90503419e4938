// A bare publisher: only the driver sends the service's messages. It answers once all are acknowledged.
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { jetstream } from '@nats-io/jetstream'
import { connect, headers } from '@nats-io/transport-node'

const TYPE = 'org.animal-store.pet.created.v1'
const SOURCE = process.env['PUBLIC_URL']

const client = jetstream(await connect({ servers: process.env['EVENTS_URL'] ?? '' }))
const fields = headers()
fields.set('content-type', 'application/cloudevents+json')

/** Above the ids of the pets that the service creates meanwhile. */
let id = 1_000_000_000

const publish = async (): Promise<number> => {
  const pet = ++id
  const event = {
    specversion: '1.0',
    id: randomUUID(),
    source: SOURCE,
    type: TYPE,
    subject: String(pet),
    time: new Date().toISOString(),
    datacontenttype: 'application/json',
    data: { id: pet, name: 'Rex', categoryId: 7, status: 'available' },
  }
  await client.publish(TYPE, JSON.stringify(event), { msgID: event.id, headers: fields })
  return pet
}

/** `POST /40` publishes 40 events at once. */
const server = createServer((request, response) => {
  const count = request.method === 'POST' ? Number(request.url?.slice(1)) : 0
  void Promise.all(Array.from({ length: count }, publish)).then((pets) => {
    const body = JSON.stringify({ id: pets.at(-1) })
    response.writeHead(request.method === 'POST' ? 201 : 200, { 'Content-Length': body.length }).end(body)
  })
})
server.keepAliveTimeout = 65_000
server.listen(Number(process.env['PORT']), '127.0.0.1')

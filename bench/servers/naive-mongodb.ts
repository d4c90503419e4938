// The peer of the MongoDB store: findOneAndUpdate for the id and insertOne for the pet, findOne for a read.
import { MongoClient } from 'mongodb'
import { type NewPet, petOf } from './pets.js'
import { serve } from './store-peer.js'

const client = new MongoClient(process.env['MONGODB_URI'] ?? '')
await client.connect()
const counters = client.db().collection<{ readonly _id: string; readonly last: number }>('counters')
const pets = client.db().collection<NewPet & { readonly _id: number }>('pets')

serve({
  add: async (newPet) => {
    const options = { returnDocument: 'after', upsert: true, writeConcern: { w: 1 } } as const
    const counter = await counters.findOneAndUpdate({ _id: 'pets' }, { $inc: { last: 1 } }, options)
    if (counter === null) throw new Error('no counter')
    const document = { _id: counter.last, ...newPet }
    // as durable as the writes of the service
    await pets.insertOne(document, { writeConcern: { w: 'majority', journal: true } })
    return petOf(counter.last, newPet)
  },
  find: async (id) => {
    const document = await pets.findOne({ _id: id })
    return document === null ? undefined : petOf(id, document)
  },
})

import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { MongoClient } from 'mongodb'
import { expect, it } from 'vitest'
import { describeWith } from './describe-with.js'

describeWith('mongodb', 'the MongoDB for tests', (uri) => {
  it('answers a ping', async () => {
    const client = new MongoClient(uri)
    expect(await client.db('test_support').command({ ping: 1 })).toMatchObject({ ok: 1 })
    await client.close()
  })
})

describeWith('nats', 'the NATS server for tests', (url) => {
  it('has JetStream', async () => {
    const connection = await connect({ servers: url })
    const manager = await jetstreamManager(connection)
    expect((await manager.getAccountInfo()).limits).toMatchObject({ max_streams: -1 })
    await connection.close()
  })
})

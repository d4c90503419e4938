// A replica set of one MongoDB server, where the image can form one.
import { setTimeout as sleep } from 'node:timers/promises'
import { MongoClient } from 'mongodb'
import type { StartedTestContainer } from 'testcontainers'
import { onTestFinished } from 'vitest'
import { mongodbContainer } from '../containers/containers.js'
import { freePort } from '../network/free-port.js'

const NAME = 'test'

/** Members know each other by their addresses, so the port is the same inside and outside the container. */
const startMember = (port: number): Promise<StartedTestContainer> =>
  mongodbContainer(port)
    .withCommand(['--replSet', NAME, '--bind_ip_all', '--port', String(port)])
    .withExposedPorts({ container: port, host: port })
    .withStartupTimeout(20_000)
    .start()

/** The set, until the test ends. */
export const startReplicaSet = async () => {
  const port = await freePort()
  const member = await startMember(port)
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`)
  onTestFinished(async () => {
    await client.close()
    await member.stop()
  })
  const admin = client.db('admin')
  await admin.command({ replSetInitiate: { _id: NAME, members: [{ _id: 0, host: `127.0.0.1:${port}` }] } })
  while ((await admin.command({ hello: 1 }))['isWritablePrimary'] !== true) await sleep(50)
  return {
    /** Without the name of a database. */
    uri: `mongodb://127.0.0.1:${port}/?replicaSet=${NAME}`,
    /** Leaves the set without a primary for these seconds. */
    stepDown: (seconds: number) =>
      admin.command({ replSetStepDown: seconds, secondaryCatchUpPeriodSecs: 0, force: true }),
  }
}

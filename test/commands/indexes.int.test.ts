import { expect, it } from 'vitest'
import { PETS } from '../../src/adapters/mongodb/documents.js'
import { INDEXES } from '../../src/adapters/mongodb/schema.js'
import { DONE, FAILED } from '../../src/commands/command.js'
import { describeWith } from '../support/containers/describe-with.js'
import { testDatabase } from '../support/mongodb/test-database.js'
import { runCommand } from '../support/processes/run-command.js'

describeWith('mongodb', 'animal-store indexes', (address) => {
  const { uri, database } = testDatabase(address)
  const run = (mongodbUri: string, ...words: readonly string[]) =>
    runCommand({ STORE: 'mongodb', MONGODB_URI: mongodbUri }, 'indexes', ...words)

  it('creates the indexes with a line per collection, and finds them the second time [cmd-indexes]', async () => {
    const stderr = [...INDEXES.keys()].map((name) => `preparing the collection ${name}\n`).join('')
    expect(await run(uri)).toStrictEqual({ code: DONE, stdout: 'ensured\n', stderr })
    const created = await database.collection(PETS).indexes()
    expect(created.length).toBeGreaterThan(1)
    expect(await run(uri, '--json')).toStrictEqual({ code: DONE, stdout: '{"ensured":true}\n', stderr })
    expect(await database.collection(PETS).indexes()).toStrictEqual(created)
  })

  it('fails with server, reason and variable, like any command, if no server accepts writes', async () => {
    const url = new URL(uri)
    url.search = '?replicaSet=wrong'
    const reason = `no server at ${url.host} accepts writes as the primary of the replica set "wrong"`
    const used = `the store of MONGODB_URI cannot be used: the database did not answer within 2500 ms: ${reason}\n`
    const created = `the indexes in the database of MONGODB_URI could not be created: ${reason}\n`
    expect(await runCommand({ MONGODB_URI: url.href }, 'keys', 'list')).toMatchObject({ code: FAILED, stderr: used })
    expect(await run(url.href)).toMatchObject({ code: FAILED, stderr: created })
  })
})

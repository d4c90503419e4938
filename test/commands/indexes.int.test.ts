import { expect, it } from 'vitest'
import { PETS } from '../../src/adapters/mongodb/documents/pet-document.js'
import { COLLECTIONS } from '../../src/adapters/mongodb/schema/collections.js'
import { DONE, FAILED } from '../../src/commands/command.js'
import { describeWith } from '../support/containers/describe-with.js'
import { testDatabase } from '../support/mongodb/test-database.js'
import { runCommand } from '../support/processes/run-command.js'

describeWith('mongodb', 'animal-store indexes', (address) => {
  const { uri, database } = testDatabase(address)
  const run = (mongodbUri: string, ...words: readonly string[]) =>
    runCommand({ STORE: 'mongodb', MONGODB_URI: mongodbUri }, 'indexes', ...words)

  it('creates the indexes with a line per collection, and finds them the second time [cmd-indexes]', async () => {
    const stderr = COLLECTIONS.map(
      ({ name }) => `preparing the collection ${name}
`,
    ).join('')
    expect(await run(uri)).toStrictEqual({ code: DONE, stdout: 'ensured\n', stderr })
    const created = await database.collection(PETS).indexes()
    expect(created.length).toBeGreaterThan(1)
    expect(await run(uri, '--json')).toStrictEqual({ code: DONE, stdout: '{"ensured":true}\n', stderr })
    expect(await database.collection(PETS).indexes()).toStrictEqual(created)
  })

  it('fails with the reason if there is no database', async () => {
    const { code, stdout, stderr } = await run('mongodb://127.0.0.1:1/pets')
    expect([code, stdout]).toStrictEqual([FAILED, ''])
    expect(stderr).toMatch(/^the indexes in the database of MONGODB_URI could not be created: .*ECONNREFUSED/)
  })

  it('fails for a store without indexes', async () => {
    expect(await runCommand({ STORE: 'memory' }, 'indexes')).toStrictEqual({
      code: FAILED,
      stdout: '',
      stderr: 'STORE=memory has no indexes to create; this command is for STORE=mongodb\n',
    })
  })
})

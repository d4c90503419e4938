// Commands say which server they tried, why it cannot be used, and which variable names it.
import { expect, it } from 'vitest'
import { FAILED } from '../../src/commands/command.js'
import { describeWith } from '../support/containers/describe-with.js'
import { testDatabase } from '../support/mongodb/test-database.js'
import { runCommand } from '../support/processes/run-command.js'

describeWith('mongodb', 'commands on a MongoDB server of another replica set', (address) => {
  const { uri } = testDatabase(address)

  it('fail with server, reason and variable', async () => {
    const url = new URL(uri)
    url.search = '?replicaSet=wrong'
    const reason = `no server at ${url.host} accepts writes as the primary of the replica set "wrong"`
    const messages = {
      'keys list': `the store of MONGODB_URI cannot be used: the database did not answer within 2500 ms: ${reason}`,
      indexes: `the indexes in the database of MONGODB_URI could not be created: ${reason}`,
    }
    for (const [words, message] of Object.entries(messages)) {
      const { code, stderr } = await runCommand({ MONGODB_URI: url.href }, ...words.split(' '))
      expect([code, stderr]).toStrictEqual([FAILED, `${message}\n`])
    }
  })
})

// The primary of a replica set steps down under load: no acknowledged pet is lost or added twice.
import { expect, it } from 'vitest'
import { describeWith } from '../support/containers/describe-with.js'
import { startReplicaSet } from '../support/mongodb/replica-set.js'
import { issueKey, startServiceProcess } from '../support/processes/service-process.js'
import { startLoad } from '../support/stores/pet-ledger.js'

describeWith('mongodb-container', 'the service on a replica set', () => {
  // the image decides whether it can form one
  it.runIf(process.env['MONGO_REPLICA_SET'] === '1')(
    'answers 503 without a primary, and keeps every acknowledged pet',
    async () => {
      const set = await startReplicaSet()
      if ('missing' in set) throw new Error(set.missing)
      const uri = new URL(set.uri)
      uri.pathname = '/animal_store_test'
      const settings = { MONGODB_URI: uri.href }
      const key = await issueKey(settings)
      const service = await startServiceProcess(settings)
      const load = startLoad(service.url, key, 16)
      await load.more(100)
      // longer than commands are repeated
      await set.stepDown(3)
      await load.more(100)
      await load.stop()
      expect(load.count(503)).toBeGreaterThan(0)
      await load.check()
    },
  )
})

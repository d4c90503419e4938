// Runs the contract suites that every adapter of animal-store passes.
import { idGeneratorContract, petRepositoryContract } from 'animal-store/testing'
import { openDatabase } from './database.js'
import { makeSqliteIdGenerator } from './id-generator.js'
import { makeSqlitePetRepository } from './pet-repository.js'

const open = () => {
  const database = openDatabase(':memory:')
  const close = async (): Promise<void> => database.close()
  return { database, close }
}

petRepositoryContract('SQLite', async () => {
  const { database, close } = open()
  return { pets: makeSqlitePetRepository(database), close }
})

idGeneratorContract('SQLite', async (last) => {
  const { database, close } = open()
  if (last > 0n) database.run("INSERT INTO counters VALUES ('pets', ?)", [last])
  return { ids: makeSqliteIdGenerator(database), close }
})

// Counts the pets of each status from the events of the service, and keeps the table in a file.
// node follower.js [FILE]; BASE_URL is the address of the service, API_KEY its key.
import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeClient } from 'animal-store/client'

const file = process.argv[2] ?? './data/table.json'
const say = (line) => process.stdout.write(`${line}\n`)

/** The table and the position of its last event. */
const load = async () => {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
    return { position: 'oldest', pets: {} }
  }
}

/** Saves all or nothing, because table and position belong together. */
const save = async (table) => {
  const draft = `${file}.${process.pid}`
  const handle = await open(draft, 'w')
  await handle.writeFile(`${JSON.stringify(table)}\n`)
  await handle.sync()
  await handle.close()
  await rename(draft, file)
}

const { BASE_URL: baseUrl = 'http://127.0.0.1:8080/v1', API_KEY: apiKey = '' } = process.env
const client = makeClient({ baseUrl, apiKey })
const stopping = new AbortController()
process.once('SIGTERM', () => stopping.abort())
process.once('SIGINT', () => stopping.abort())

await mkdir(dirname(file), { recursive: true })
let { position, pets } = await load()
say(`following after ${position}`)
for await (const event of client.events({ after: position, signal: stopping.signal })) {
  if (!event.ok) {
    if (event.error._tag === 'aborted') break
    say(`${event.error._tag}: ${event.error.message}`)
    process.exitCode = 1
    break
  }
  const { status = 'without' } = event.value.pet
  pets = { ...pets, [status]: (pets[status] ?? 0) + 1 }
  position = event.value.position
  await save({ position, pets })
  say(JSON.stringify(pets))
}

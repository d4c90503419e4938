// The peer: node:http with one synced SQLite insert a request, and none of the contract's other duties.
import { createServer } from 'node:http'
import { DatabaseSync } from 'node:sqlite'

const database = new DatabaseSync(process.argv[2] ?? '')
// the fastest of SQLite's ways that syncs each commit: one sync of its log
database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
database.exec('CREATE TABLE pets (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT, category INTEGER, status TEXT)')
database.exec('CREATE INDEX by_status ON pets (status, id)')
const insert = database.prepare('INSERT INTO pets (name, category, status) VALUES (?, ?, ?)')

interface Sent {
  readonly name: string
  readonly categoryId: number
  readonly status?: string
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const sent = JSON.parse(Buffer.concat(chunks).toString()) as Sent
    const { lastInsertRowid } = insert.run(sent.name, sent.categoryId, sent.status ?? null)
    const body = JSON.stringify({ id: Number(lastInsertRowid), ...sent })
    response.writeHead(201, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) })
    response.end(body)
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address === 'object') {
    process.stdout.write(`${JSON.stringify({ msg: 'listening', url: `http://127.0.0.1:${address.port}/v1` })}\n`)
  }
})

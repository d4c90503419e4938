// The peer: node:http alone, answering the same bytes from memory without any of the contract's duties.
import { createServer } from 'node:http'

const pet = { id: 1, name: 'Rex', categoryId: 7, status: 'available' }
const LIST = JSON.stringify(Array.from({ length: 20 }, () => pet))
const ONE = JSON.stringify(pet)

const server = createServer((request, response) => {
  const answer = (status: number, body: string): void => {
    response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) })
    response.end(body)
  }
  if (request.method !== 'POST') {
    answer(200, request.url?.startsWith('/v1/pets/') ? ONE : LIST)
    return
  }
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const newPet: unknown = JSON.parse(Buffer.concat(chunks).toString())
    answer(201, JSON.stringify(Object.assign({ id: 1 }, newPet)))
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address === 'object') {
    process.stdout.write(`${JSON.stringify({ msg: 'listening', url: `http://127.0.0.1:${address.port}/v1` })}\n`)
  }
})

// The limit: node:http alone reads a request and sends constant bytes under the same headers.
import { createServer } from 'node:http'

interface Answer {
  readonly status: number
  readonly headers: readonly string[]
  readonly body: string
}

const answers = JSON.parse(process.env['ANSWERS'] ?? '') as Readonly<Record<string, Answer>>

const server = createServer((request, response) => {
  const send = (): void => {
    const { status, headers, body } = answers[`${request.method} ${request.url}`] ?? {
      status: 404,
      headers: [],
      body: '',
    }
    response.writeHead(status, headers as string[])
    response.end(body)
  }
  if (request.method !== 'POST') {
    send()
    return
  }
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    JSON.parse(Buffer.concat(chunks).toString())
    send()
  })
})
server.keepAliveTimeout = 65_000
server.listen(Number(process.env['PORT']), '127.0.0.1')

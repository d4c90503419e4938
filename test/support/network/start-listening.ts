import { once } from 'node:events'
import { Server as HttpServer } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import { onTestFinished } from 'vitest'

export const startListening = async (server: Server): Promise<number> => {
  onTestFinished(() => {
    server.close()
    if (server instanceof HttpServer) server.closeAllConnections()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return (server.address() as AddressInfo).port
}

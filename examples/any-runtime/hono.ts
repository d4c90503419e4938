// In a Hono app with other routes: all other requests go to the service.
import { serve } from '@hono/node-server'
import { getConnInfo } from '@hono/node-server/conninfo'
import { Hono } from 'hono'
import { handleFrom } from './service.js'

export const app = new Hono()

app.get('/', (context) => context.text('The shop. Its pets are at /v1/pets.'))
app.all('*', (context) => {
  // there is no connection when a test calls `app.request`
  const address = context.env === undefined ? undefined : getConnInfo(context).remote.address
  return handleFrom(context.req.raw, address)
})

/** On Node.js; reachable only from this machine. */
export const listen = (port: number) => serve({ fetch: app.fetch, hostname: '127.0.0.1', port })

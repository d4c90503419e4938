// Beside other routes of a Hono app: what they leave over goes to the service.
import { serve } from '@hono/node-server'
import { getConnInfo } from '@hono/node-server/conninfo'
import { Hono } from 'hono'
import { handleFrom } from './service.js'

export const app = new Hono()

app.get('/', (context) => context.text('The shop. Its pets are at /v1/pets.'))
app.all('*', (context) => {
  // `app.request` of a test has no connection
  const address = context.env === undefined ? undefined : getConnInfo(context).remote.address
  return handleFrom(context.req.raw, address)
})

/** On Node.js, at this port of the machine itself. */
export const listen = (port: number) => serve({ fetch: app.fetch, hostname: '127.0.0.1', port })

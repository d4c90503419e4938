// The metrics, for Prometheus to scrape.
import * as E from 'fp-ts/lib/Either.js'
import type { PublicRoute } from '../route.js'

/** GET /metrics, on a separate port. A probe, because metrics are needed most under overload. */
export const metricsRoute = (render: () => Promise<{ text: string; contentType: string }>): PublicRoute => ({
  _tag: 'Public',
  method: 'GET',
  path: '/metrics',
  isProbe: true,
  endpoint: async () => {
    const { text, contentType } = await render()
    return E.right({ status: 200, headers: [['Content-Type', contentType]], body: text })
  },
})

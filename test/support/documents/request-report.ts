import type { RequestReport } from '../../../src/ports/observer.js'

export const listReport: RequestReport = {
  requestId: 'r1',
  method: 'GET',
  path: '/v1/pets',
  route: '/v1/pets',
  isProbe: false,
  isDeprecated: false,
  status: 200,
  code: undefined,
  detail: undefined,
  bytes: 66,
  milliseconds: 5,
  keyId: undefined,
  invalidKeyReason: undefined,
  invalidKeyId: undefined,
  clientAddress: undefined,
  traceId: undefined,
}

export const liveReport: RequestReport = {
  ...listReport,
  ...{ path: '/health/live', route: '/health/live', isProbe: true },
}

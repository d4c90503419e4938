// A floor under the speed: the service's share of the bare server's speed now, beside that of the committed results.

import { SMOKE } from './method/plan.js'
import { requestBytes } from './method/request.js'
import { figureOf, type Row, readResult } from './method/result.js'
import { compare } from './method/rounds.js'
import { withContest } from './scenarios/http/servers.js'

const PLAN = { ...SMOKE, rounds: 6, roundMs: 300, warmUpMs: 1_000 }
const CONNECTIONS = 32

/** Below this part of the committed share a line of warning is printed. */
const WARN = 0.8
/** Below this part the check fails: too far for the noise of a machine. */
const FAIL = 0.5

const LIMIT = 'node:http'

const shareOf = (rows: readonly Row[], operation: string): number =>
  figureOf({ rows }, operation, LIMIT, 'cpuMicros') / figureOf({ rows }, operation, 'animal-store', 'cpuMicros')

/** Whether the service is at least half as fast as committed, relative to the bare server. */
export const isAboveFloor = (print: (line: string) => void): Promise<boolean> =>
  withContest(async ({ operations, serversOf }) => {
    const committed = readResult('http')?.rows ?? []
    let isAbove = true
    for (const operation of operations) {
      const servers = serversOf(operation).filter(({ name }) => name === LIMIT || name === 'animal-store')
      if (servers.length < 2) continue
      const { name, request, status } = operation
      const subjects = servers.map((server) => ({ server, requests: [requestBytes(request)], status }))
      const share = shareOf(await compare(name, subjects, CONNECTIONS, PLAN), name)
      const before = shareOf(committed, name)
      const verdict = share < FAIL * before ? 'FAILED' : share < WARN * before ? 'warning' : 'ok'
      print(`${verdict}: ${name} at ${share.toFixed(2)} of ${LIMIT}, committed ${before.toFixed(2)}`)
      if (verdict === 'FAILED') isAbove = false
    }
    return isAbove
  })

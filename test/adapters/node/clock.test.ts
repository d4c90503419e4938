import { systemClock } from '../../../src/adapters/node/clock.js'
import { clockContract } from '../../../src/testing/contracts/clock.contract.js'

clockContract('the system', systemClock)

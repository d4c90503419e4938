import { nodeCrypto, systemClock } from '../../../src/adapters/node/system.js'
import { clockContract } from '../../../src/testing/contracts/clock.contract.js'
import { cryptoContract } from '../../../src/testing/contracts/crypto.contract.js'

clockContract('the system', systemClock)
cryptoContract("Node's own", nodeCrypto)

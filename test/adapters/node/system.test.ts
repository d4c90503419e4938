import { nodeCrypto, systemClock } from '../../../src/adapters/node/system.js'
import { clockContract, cryptoContract } from '../../../src/testing/contracts/system.contract.js'

clockContract('the system', systemClock)
cryptoContract("Node's own", nodeCrypto)

import { nodeCrypto } from '../../../src/adapters/node/crypto.js'
import { cryptoContract } from '../../../src/testing/contracts/crypto.contract.js'

cryptoContract("Node's own", nodeCrypto)

// A process that enters the folder of its first argument from the PID namespace of its second, and stays until it is killed.
import { writeSync } from 'node:fs'
import { enterFolder } from '../../../../src/adapters/lmdb/environment/pid-namespace.js'

const [directory = '', namespace] = process.argv.slice(2)
await enterFolder(directory, () => {}, { namespace })
writeSync(1, 'entered\n')
setInterval(() => {}, 1_000)

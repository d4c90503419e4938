// Several processes of the service on one port: COUNT, then the program.
import cluster from 'node:cluster'

const [, , count, program] = process.argv

cluster.setupPrimary({ ...(program !== undefined && { exec: program }), args: ['serve'] })
for (let n = 0; n < Number(count); n += 1) cluster.fork()

process.on('SIGTERM', () => {
  for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGTERM')
})

// Installs missing peers, and compiles the servers: like the service, they are measured as plain JavaScript.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { pathOf } from './paths.js'

export const prepare = (): void => {
  const cwd = pathOf('.')
  if (!existsSync(pathOf('bench/node_modules/fastify'))) {
    execFileSync('npm', ['ci', '--prefix', 'bench'], { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
  }
  execFileSync(pathOf('node_modules/.bin/tsc'), ['-p', 'bench/servers'], { cwd, stdio: 'inherit' })
}

// The Dockerfile's settings for every container.
import { readFileSync } from 'node:fs'

const dockerfile = readFileSync('Dockerfile', 'utf8')

export const imageEnvironment: Readonly<Record<string, string>> = Object.fromEntries(
  [...dockerfile.matchAll(/^ENV (.*)$/gm)].flatMap(([, line = '']) =>
    [...line.matchAll(/(\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]),
  ),
)

/** The last one, if repeated. */
export const instruction = (name: string): string =>
  dockerfile
    .match(new RegExp(`^${name} (.*)$`, 'gm'))
    ?.at(-1)
    ?.slice(name.length + 1) ?? ''

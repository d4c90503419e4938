// The licence of every installed package, from the lock file.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

interface Package {
  readonly license?: string
  readonly dev?: boolean
}

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  readonly packages: Readonly<Record<string, Package>>
}

/** Require only their notice. */
const PERMISSIVE = ['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'Unlicense', 'BlueOak-1.0.0']
/** Also allowed for tools, because we publish none of their code. */
const OF_TOOLS = [...PERMISSIVE, 'MPL-2.0', 'CC-BY-4.0', 'Python-2.0']

/** We read the licence files of these packages, which declare no licence elsewhere: all are permissive. */
const READ: Readonly<Record<string, string>> = {
  'node_modules/buildcheck': 'MIT',
  'node_modules/cpu-features': 'MIT',
  'node_modules/reserved': 'MIT',
  'node_modules/ssh2': 'MIT',
}

const isAllowed = ([path, { license = READ[path] ?? 'unknown', dev }]: [string, Package]): boolean =>
  license
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((one) => (dev ? OF_TOOLS : PERMISSIVE).includes(one))

it('allows only licences that ask for no more than their notice, and for tools a few more', () => {
  const refused = Object.entries(packages).filter((one) => !isAllowed(one))
  expect(refused.map(([path, { license }]) => `${path}: ${license}`)).toEqual([])
})

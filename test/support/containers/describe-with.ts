// Suites that need something from the machine. Without it they are reported as not run, or fail if CONTAINERS=required.
import { describe, inject, it } from 'vitest'
import type { Need, Service } from './services.js'

const reasonOf = (service: Service): string => ('missing' in service ? service.missing : 'available')

/** A suite that gets the address of the service it needs; `others` must be available too. */
export const describeWith = (
  need: Need,
  title: string,
  suite: (address: string) => void,
  others: readonly Need[] = [],
): void => {
  const services = inject('services')
  const service = services[need]
  const needs = [need, ...others]
  const missing = needs.filter((name) => 'missing' in services[name])
  if ('address' in service && missing.length === 0) {
    describe(title, () => {
      suite(service.address)
    })
    return
  }
  it(`${title} (needs ${needs.join(', ')})`, (context) => {
    const reason = missing.map((name) => `${name}: ${reasonOf(services[name])}`).join('; ')
    if (process.env['CONTAINERS'] === 'required') throw new Error(reason)
    context.skip(reason)
  })
}

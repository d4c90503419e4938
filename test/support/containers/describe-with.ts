// Suites that need something from the machine. Without it they are reported as not run, or fail if CONTAINERS=required.
import { describe, inject, it } from 'vitest'
import type { Need } from './services.js'

/** A suite that gets the address of the service it needs; `others` must be available too. */
export const describeWith = (
  need: Need,
  title: string,
  suite: (address: string) => void,
  others: readonly Need[] = [],
): void => {
  const services = inject('services')
  const service = services[need]
  const reasons = [need, ...others].flatMap((name) => {
    const other = services[name]
    return 'missing' in other ? [`${name}: ${other.missing}`] : []
  })
  if ('address' in service && reasons.length === 0) {
    describe(title, () => {
      suite(service.address)
    })
    return
  }
  it(`${title} (needs ${[need, ...others].join(', ')})`, (context) => {
    const reason = reasons.join('; ')
    if (process.env['CONTAINERS'] === 'required') throw new Error(reason)
    context.skip(reason)
  })
}

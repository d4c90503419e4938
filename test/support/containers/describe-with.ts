// Suites that need a service. Without it they are reported as not run, or fail if CONTAINERS=required.
import { describe, inject, it } from 'vitest'
import type { Need } from './services.js'

/** Passes the suite the address of `need`; `others` must be available too. */
export const describeWith = (
  need: Need,
  title: string,
  suite: (address: string) => void,
  others: readonly Need[] = [],
): void => {
  const services = inject('services')
  const service = services[need]
  const needs = [need, ...others]
  // one reason per suite, so that the report can group suites by it
  const [reason] = needs.flatMap((name) => ('missing' in services[name] ? [services[name].missing] : []))
  if ('address' in service && reason === undefined) {
    describe(title, () => {
      suite(service.address)
    })
    return
  }
  it(`${title} (needs ${needs.join(', ')})`, (context) => {
    if (process.env['CONTAINERS'] === 'required') throw new Error(reason)
    context.skip(reason)
  })
}

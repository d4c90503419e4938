// Tests that need a service of the machine; without it they are told as not run, or fail if CONTAINERS=required.
import { describe, inject, it } from 'vitest'
import type { Need } from './services.js'

/** A suite that gets the address of what it needs. */
export const describeWith = (need: Need, title: string, suite: (address: string) => void): void => {
  const service = inject('services')[need]
  if ('address' in service) {
    describe(title, () => {
      suite(service.address)
    })
    return
  }
  it(`${title} (needs ${need})`, (context) => {
    if (process.env['CONTAINERS'] === 'required') throw new Error(`${need}: ${service.missing}`)
    context.skip(`${need}: ${service.missing}`)
  })
}

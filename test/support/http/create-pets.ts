// Creates pets through a service, for tests of their events.
import { expect } from 'vitest'
import { range } from '../../../src/testing/samples.js'
import type { TestService } from './http-service.js'

export const create = async ({ call }: TestService, name = 'Rex'): Promise<void> => {
  const { status } = await call('POST', '/v1/pets', { body: JSON.stringify({ name, categoryId: 7 }) })
  expect(status).toBe(201)
}

export const createMany = async (service: TestService, count: number): Promise<void> => {
  for (const at of range(1, count)) await create(service, `pet ${at}`)
}

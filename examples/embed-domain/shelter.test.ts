import { makeMemoryStore } from 'animal-store'
import { nodeCrypto, systemClock } from 'animal-store/node'
import { expect, it } from 'vitest'
import { makeShelter } from './shelter.js'

const shelter = () => makeShelter({ ...makeMemoryStore(), clock: systemClock, crypto: nodeCrypto })

const form = (payload: string) => ({ payload, headers: { 'content-type': 'application/json' } })

it('takes an animal in and shows it, to the last digit', async () => {
  const app = shelter()
  const added = await app.inject({
    method: 'POST',
    url: '/animals',
    ...form('{"name":"Rex","categoryId":9223372036854775807}'),
  })
  expect([added.statusCode, added.body]).toStrictEqual([201, 'Rex lives here as number 1\n'])
  expect((await app.inject('/animals/1')).body).toBe('{"id":1,"name":"Rex","categoryId":9223372036854775807}')
})

it('says everything that is wrong with a form', async () => {
  const answer = await shelter().inject({ method: 'POST', url: '/animals', payload: { name: ' ' } })
  expect(answer.statusCode).toBe(422)
  expect(answer.body).toBe('/name must not be only white space\n/categoryId is required\n')
})

it('refuses a form that can be read in two ways', async () => {
  const answer = await shelter().inject({ method: 'POST', url: '/animals', ...form('{"name":"Rex","name":"Max"}') })
  expect([answer.statusCode, answer.json()]).toMatchObject([
    400,
    { message: 'the name "name" appears twice in one object' },
  ])
})

it.each(['2', '01', 'x'])('does not know number %s', async (id) => {
  expect((await shelter().inject(`/animals/${id}`)).statusCode).toBe(404)
})

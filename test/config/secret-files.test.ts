// Secrets in files, as orchestrators mount them, and the settings of a webhook.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from '../../src/config/config.js'
import { temporaryFolder } from '../support/runner/temporary-folder.js'

const MONGODB_URI = 'mongodb://u:hunter2@a/pets'
const EVENTS_URL = 'nats://u:hunter2@a'
const EVENTS_SECRET = `whsec_${'A'.repeat(32)}`

describe('a secret in a file', () => {
  let folder: string
  let path: string
  beforeEach(async () => {
    folder = await temporaryFolder()
    path = join(folder, 'secret')
  })

  it.each([
    ['MONGODB_URI', MONGODB_URI, {}, { store: { uri: MONGODB_URI }, mongodbVariable: 'MONGODB_URI_FILE' }],
    ['EVENTS_URL', `${EVENTS_URL}\n`, {}, { events: { servers: ['a:4222'], login: { user: 'u', pass: 'hunter2' } } }],
    ['EVENTS_SECRET', `${EVENTS_SECRET}\r\n`, { EVENTS_URL: 'https://a' }, { events: { secrets: [EVENTS_SECRET] } }],
  ])('is read, whatever ends the file: %s=%j [secret-files]', async (name, content, others, config) => {
    await writeFile(path, content)
    expect(readConfig({ ...others, [`${name}_FILE`]: path })).toMatchObject(E.right(config))
  })

  it('is refused beside the value itself [secret-files]', async () => {
    await writeFile(path, MONGODB_URI)
    expect(readConfig({ MONGODB_URI, MONGODB_URI_FILE: path })).toEqual(
      E.left([`MONGODB_URI_FILE: got ${JSON.stringify(path)}, wanted nothing, because MONGODB_URI is set`]),
    )
  })

  it('counts as absent if the variable is empty', async () => {
    await writeFile(path, MONGODB_URI)
    expect(readConfig({ MONGODB_URI_FILE: '' })).toEqual(readConfig({}))
    expect(readConfig({ MONGODB_URI: '', MONGODB_URI_FILE: path })).toMatchObject(
      E.right({ store: { uri: MONGODB_URI } }),
    )
  })

  it('is never shown if it is bad; only its variable is', async () => {
    for (const content of ['hunter2', '', `${MONGODB_URI}\n${MONGODB_URI}`]) {
      await writeFile(path, content)
      const line = expect.stringMatching(
        /^MONGODB_URI_FILE: got a file whose content is not shown, wanted (?!.*hunter2)/,
      )
      expect(readConfig({ MONGODB_URI_FILE: path })).toEqual(E.left([line]))
    }
  })

  it('is refused if the file cannot be read', () => {
    const absent = join(folder, 'absent')
    expect(readConfig({ EVENTS_URL_FILE: absent })).toEqual(
      E.left([`EVENTS_URL_FILE: got ${JSON.stringify(absent)}, wanted a readable file: ENOENT`]),
    )
  })

  it('shows no secret that is given instead of a path', () => {
    for (const uri of [MONGODB_URI, 'mongodb://a/pets?authMechanismProperties=AWS_SESSION_TOKEN:hunter2']) {
      expect(readConfig({ MONGODB_URI_FILE: uri })).toEqual(
        E.left(['MONGODB_URI_FILE: got (hidden), wanted a readable file: ENOENT']),
      )
    }
  })
})

describe('the settings of a webhook', () => {
  const secret = (bytes: number): string => `whsec_${Buffer.alloc(bytes, '\xfb\xff', 'latin1').toString('base64')}`
  const [one, other] = [secret(24), secret(64)]

  it.each([
    'https://hooks.example',
    'HTTPS://hooks.example:8443/pets?token=a%40b,c',
    'https://[2001:db8::1]/',
    'http://localhost:3000/events',
    'http://127.1.2.3/',
    'http://[::1]:80',
  ])('may be %s with a secret', (url) => {
    expect(readConfig({ EVENTS_URL: url, EVENTS_SECRET: one })).toMatchObject({
      right: { events: { _tag: 'Webhook', url, secrets: [one] } },
    })
  })

  it.each([`${one},${other}`, `${one}, ${other}`, `${one}\n${other}`])('may have two secrets: %j', (text) => {
    expect(readConfig({ EVENTS_URL: 'https://a', EVENTS_SECRET: text })).toMatchObject({
      right: { events: { secrets: [one, other] } },
    })
  })

  it('need a secret [webhook]', () => {
    const wanted = 'one or two whsec_…, separated by a comma or white space, each with 24 to 64 bytes in base64'
    expect(readConfig({ EVENTS_URL: 'https://a' })).toEqual(
      E.left([`EVENTS_SECRET: got nothing, wanted ${wanted}, because EVENTS_URL is a webhook`]),
    )
  })
})

// MONGODB_URI_FILE, EVENTS_URL_FILE and EVENTS_SECRET_FILE: the value in a file, as orchestrators mount secrets.
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

  it.each(['', '\n', '\r\n'])('is read, with this end of the file: %j [secret-files]', async (end) => {
    await writeFile(path, MONGODB_URI + end)
    expect(readConfig({ MONGODB_URI_FILE: path })).toMatchObject(
      E.right({ store: { _tag: 'mongodb', uri: MONGODB_URI } }),
    )
    await writeFile(path, EVENTS_URL + end)
    expect(readConfig({ EVENTS_URL_FILE: path })).toMatchObject(
      E.right({ events: { servers: ['a:4222'], login: { user: 'u', pass: 'hunter2' } } }),
    )
    await writeFile(path, EVENTS_SECRET + end)
    expect(readConfig({ EVENTS_URL: 'https://a', EVENTS_SECRET_FILE: path })).toMatchObject(
      E.right({ events: { secrets: [EVENTS_SECRET] } }),
    )
  })

  it('is remembered with the name of its variable, for later messages', async () => {
    await writeFile(path, MONGODB_URI)
    const config = E.right({ mongodbVariable: 'MONGODB_URI_FILE' })
    expect(readConfig({ MONGODB_URI_FILE: path })).toMatchObject(config)
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
      expect(readConfig({ MONGODB_URI_FILE: path, EVENTS_URL_FILE: path })).toEqual(
        E.left([
          'MONGODB_URI_FILE: got a file whose content is not shown, wanted mongodb://… or mongodb+srv://… with the name of a database, such as mongodb://localhost:27017/pets; user and password are percent-encoded (@ as %40, / as %2F)',
          'EVENTS_URL_FILE: got a file whose content is not shown, wanted nats://… or tls://…, with more servers after commas, or https://… for a webhook; user and password are percent-encoded (@ as %40, / as %2F)',
        ]),
      )
    }
  })

  it('is refused if the file cannot be read', () => {
    const absent = join(folder, 'absent')
    expect(readConfig({ EVENTS_URL_FILE: absent })).toEqual(
      E.left([`EVENTS_URL_FILE: got ${JSON.stringify(absent)}, wanted a readable file: ENOENT`]),
    )
    expect(readConfig({ EVENTS_URL_FILE: folder })).toEqual(
      E.left([`EVENTS_URL_FILE: got ${JSON.stringify(folder)}, wanted a readable file: EISDIR`]),
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

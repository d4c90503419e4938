// A separate MongoDB server with access control and one user per role.
import { randomUUID } from 'node:crypto'
import { MongoClient } from 'mongodb'
import { getContainerRuntimeClient, type StartedTestContainer } from 'testcontainers'
import { mongodbContainer } from '../containers/containers.js'

const DATABASE = 'pets'
const PASSWORD = 'test'

const uriOf = (container: StartedTestContainer, user = ''): string =>
  `mongodb://${user}${container.getHost()}:${container.getMappedPort(27_017)}/${DATABASE}?directConnection=true&authSource=admin`

interface Privilege {
  readonly resource: { readonly db: string; readonly collection: string }
  readonly actions: readonly string[]
}

/** Of a role that may do this with a collection of the database, or with all of them. */
export const may = (collection: string, ...actions: readonly string[]): Privilege => ({
  resource: { db: DATABASE, collection },
  actions,
})

/** Creates the users before access control is on, because only a client inside the container could create the first one later. */
export const launchGuarded = async (roles: readonly string[], own: Readonly<Record<string, readonly Privilege[]>>) => {
  const volume = `animal-store-test-${randomUUID()}`
  const mounted = () => mongodbContainer().withBindMounts([{ source: volume, target: '/data/db' }])
  const open = await mounted().start()
  const client = new MongoClient(uriOf(open))
  for (const [createRole, privileges] of Object.entries(own))
    await client.db(DATABASE).command({ createRole, privileges, roles: [] })
  for (const role of [...roles, ...Object.keys(own)]) {
    const user = { createUser: role, pwd: PASSWORD, roles: [{ role, db: DATABASE }] }
    await client.db('admin').command(user)
  }
  await client.close()
  await open.stop({ timeout: 10_000 })
  const guarded = await mounted().withCommand(['--auth']).start()
  return {
    /** The URI of the database for the user who has only this role on it. */
    uriFor: (role: string) => uriOf(guarded, `${role}:${PASSWORD}@`),
    remove: async (): Promise<void> => {
      await guarded.stop()
      const { container } = await getContainerRuntimeClient()
      await container.dockerode.getVolume(volume).remove()
    },
  }
}

import { makeGate } from '../runner/gate.js'
import { type Options, startHttp } from './http-service.js'

/** Makes each list wait before it reads. */
export const listsAfter =
  (wait: () => Promise<unknown>): NonNullable<Options['replace']> =>
  ({ pets }) => ({
    pets: {
      ...pets,
      findPage: (query) => async () => {
        await wait()
        return pets.findPage(query)()
      },
    },
  })

/** Lists wait until `release` is called; `entered` resolves once this many have begun. */
export const startWithHeldLists = async (settings: Options['settings'] = {}) => {
  const { open, pass, entered } = makeGate()
  return { ...(await startHttp({ settings, replace: listsAfter(pass) })), entered, release: open }
}

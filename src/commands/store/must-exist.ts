import { statSync } from 'node:fs'

/** Throws if nothing is at the path. Whatever else is wrong with it, its use reports. */
export const mustExist = (what: 'file' | 'folder', path: string): void => {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) throw new Error(`the ${what} ${path} does not exist`)
}

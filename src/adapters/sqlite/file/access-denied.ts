// Says which user has no access to which file: in a container, nobody can guess either.
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { memberOf } from '../../../domain/thrown.js'

/** What is in the way: the path, or the nearest folder above it that can be looked at. */
const ownerOf = async (path: string): Promise<string> => {
  try {
    const { uid, gid, mode } = await stat(path)
    return `${path}, which belongs to user ${uid} and group ${gid} with mode ${(mode & 0o7777).toString(8).padStart(4, '0')}`
  } catch (error) {
    if (dirname(path) === path) throw error
    return ownerOf(dirname(path))
  }
}

/** The error; if access was denied, with the user and the owner. */
export const withOwner = async (error: unknown): Promise<unknown> => {
  const uid = process.geteuid?.()
  if (uid === undefined || memberOf(error, 'code') !== 'EACCES') return error
  const path = String(memberOf(error, 'path'))
  const user = `user ${uid} of group ${process.getegid?.()}`
  return new Error(`EACCES: ${user} has no access to ${await ownerOf(path)}`, { cause: error })
}

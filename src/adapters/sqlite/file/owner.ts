// Root acts as the owner of the folder in which it works: whatever that owner puts in the way of a file, such as a link,
// root then neither changes nor gives away anything of its own. SQLite itself follows links and changes owners.
import { fchownSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { isMainThread } from 'node:worker_threads'

interface Owner {
  readonly uid: number
  readonly gid: number
}

/** Of the folder, or of the nearest ancestor that exists. */
const ownerOf = (directory: string): Owner => {
  const found = statSync(directory, { throwIfNoEntry: false })
  return found ?? ownerOf(dirname(directory))
}

const ROOT: Owner = { uid: 0, gid: 0 }

const become = ({ uid, gid }: Owner): void => {
  if (process.geteuid?.() === uid && process.getegid?.() === gid) return
  // changes the whole process, its threads included; the real user stays root, so that root can act as another owner next
  process.seteuid?.(0)
  process.setgroups?.([gid])
  process.setegid?.(gid)
  process.seteuid?.(uid)
}

// not by `access`, which judges the real user
const canEnter = (directory: string): boolean => {
  try {
    statSync(`${directory}/.`)
    return true
  } catch {
    return false
  }
}

/** Whether root started this process. Only its main thread can change the user; in another one, root stays root. */
const isRoot = (): boolean => process.getuid?.() === 0 && isMainThread

/** No effect unless root started this process. Stays root if the owner cannot reach the folder. */
export const actAsOwnerOf = (directory: string): void => {
  if (!isRoot()) return
  become(ROOT)
  const owner = ownerOf(directory)
  // the group of a folder of root does not matter to root
  if (owner.uid === ROOT.uid) return
  const isThere = canEnter(directory)
  become(owner)
  if (isThere && !canEnter(directory)) become(ROOT)
}

/** Runs synchronous work as the owner of the folder, and then acts as before. */
export const asOwnerOf = <A>(directory: string, work: () => A): A => {
  const [uid, gid] = [process.geteuid?.() ?? 0, process.getegid?.() ?? 0]
  actAsOwnerOf(directory)
  try {
    return work()
  } finally {
    if (isRoot()) become({ uid, gid })
  }
}

/** Gives a new file to the owner of its folder, if root has to create it as root. */
export const giveToOwner = (handle: number, directory: string): void => {
  if (process.geteuid?.() !== 0) return
  const { uid, gid } = ownerOf(directory)
  if (uid !== 0) fchownSync(handle, uid, gid)
}

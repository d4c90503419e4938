import { readdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { checkFileSystem, markFolder, prepareFolder } from '../../../../src/adapters/lmdb/environment/folder.js'
import type { Notice } from '../../../../src/ports/notice.js'
import { temporaryPath } from '../../../support/runner/temporary-folder.js'

const NFS = 0x6969
const FUSE = 0x65735546
const EXT4 = 0xef53

/** The name in a warning; `undefined` if there is none. Throws if the file system is refused. */
const warningOf = (type: number, platform: NodeJS.Platform = 'linux'): string | undefined => {
  const notices: Notice[] = []
  checkFileSystem(type, '/data', (notice) => notices.push(notice), platform)
  return notices.map(({ message }) => message)[0]
}

describe('checkFileSystem', () => {
  it.each([
    [NFS, 'NFS'],
    [0x517b, 'SMB'],
    [0xfe534d42, 'SMB'],
    // the same number, as a signed one
    [0xfe534d42 - 2 ** 32, 'SMB'],
    [0xff534d42, 'SMB'],
    [0x564c, 'NCP'],
    [0x5346414f, 'AFS'],
    [0x6b414653, 'AFS'],
    [0x73757245, 'Coda'],
    [0x00c36400, 'Ceph'],
    [0x0bd00bd0, 'Lustre'],
    [0x47504653, 'GPFS'],
    [0x19830326, 'BeeGFS'],
    [0xaad7aaea, 'PanFS'],
  ])('refuses the network file system %i: %s', (type, name) => {
    expect(() => warningOf(type)).toThrow(
      `it is on ${name}, a network file system, on which LMDB may lose data; use a local disk, or MongoDB`,
    )
  })

  it.each([
    [FUSE, 'FUSE'],
    [0x01021997, '9P'],
    [0x786f4256, 'a shared folder of VirtualBox'],
    [0xbacbacbc, 'a shared folder of VMware'],
    [0x7c7c6673, 'a shared folder of Parallels'],
  ])('warns of %i: %s', (type, name) => {
    expect(warningOf(type)).toBe(
      `the data folder is on ${name}: if its files are on another machine, LMDB may lose data`,
    )
  })

  it.each([
    ['ext4', EXT4],
    ['XFS', 0x58465342],
    ['Btrfs', 0x9123683e],
    ['ZFS', 0x2fc12fc1],
    ['overlayfs', 0x794c7630],
    ['tmpfs', 0x01021994],
    ['none that is known', 0],
  ])('accepts %s', (_, type) => {
    expect(warningOf(type)).toBeUndefined()
  })

  it('accepts every type on platforms where the numbers mean something else', () => {
    for (const platform of ['darwin', 'win32', 'freebsd'] as const) expect(warningOf(NFS, platform)).toBeUndefined()
  })
})

describe.runIf(process.platform === 'linux')('prepareFolder', () => {
  let folder: string
  let notices: Notice[]
  beforeEach(async () => {
    folder = await temporaryPath()
    notices = []
  })

  const prepareOn = (type: number, checksDataFile: boolean) =>
    prepareFolder({ directory: folder, checksDataFile, notify: (notice) => notices.push(notice) }, async () => type)

  it('refuses to create a store on a network file system, and writes nothing there', async () => {
    const message = 'it is on NFS, a network file system, on which LMDB may lose data; use a local disk, or MongoDB'
    for (const checksDataFile of [true, false]) await expect(prepareOn(NFS, checksDataFile)).rejects.toThrow(message)
    expect(await readdir(dirname(folder))).toStrictEqual(['data'])
    expect(await readdir(folder)).toStrictEqual([])
  })

  it('lets a command read an existing store there, so that it can be moved', async () => {
    await prepareOn(EXT4, true)
    await markFolder(folder)
    await expect(prepareOn(NFS, true)).rejects.toThrow('NFS')
    await expect(prepareOn(NFS, false)).rejects.toThrow('its data file is missing or empty')
  })

  it('warns of a file system that may be on another machine', async () => {
    await prepareOn(EXT4, true)
    expect(notices).toStrictEqual([])
    await prepareOn(FUSE, true)
    expect(notices).toMatchObject([{ level: 'warn', details: { directory: folder } }])
  })
})

// Which file systems an embedded store can live on, by the type that Linux gives them (statfs(2), which lists the
// types in hexadecimal).

/** `Refused`: the files are on another machine, where LMDB's locks and memory maps do not hold. */
export type FileSystemVerdict =
  | { readonly _tag: 'Refused'; readonly name: string }
  /** May be local or on another machine; the type does not say which. */
  | { readonly _tag: 'Doubtful'; readonly name: string }
  | { readonly _tag: 'Suited' }

const REFUSED: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0xff534d42, 'SMB'],
  [0x564c, 'NCP'],
  [0x5346414f, 'AFS'],
  [0x6b414653, 'AFS'],
  [0x73757245, 'Coda'],
  [0xc36400, 'Ceph'],
  [0xbd00bd0, 'Lustre'],
  [0x47504653, 'GPFS'],
  [0x19830326, 'BeeGFS'],
  [0xaad7aaea, 'PanFS'],
])

const DOUBTFUL: ReadonlyMap<number, string> = new Map([
  [0x65735546, 'FUSE'],
  [0x1021997, '9P'],
  [0x786f4256, 'a shared folder of VirtualBox'],
  [0xbacbacbc, 'a shared folder of VMware'],
  [0x7c7c6673, 'a shared folder of Parallels'],
])

/** The verdict on a type; on other platforms than Linux the numbers differ, so every type is `Suited`. */
export const judgeFileSystem = (type: number, platform: NodeJS.Platform): FileSystemVerdict => {
  if (platform !== 'linux') return { _tag: 'Suited' }
  // on some machines the number is signed
  const [refused, doubtful] = [REFUSED.get(type >>> 0), DOUBTFUL.get(type >>> 0)]
  if (refused !== undefined) return { _tag: 'Refused', name: refused }
  return doubtful === undefined ? { _tag: 'Suited' } : { _tag: 'Doubtful', name: doubtful }
}

// Which file systems an embedded store can live on, by the type that Linux gives them (statfs(2)).

/** `refused`: its files are on another machine, and LMDB's locks and memory maps do not hold across machines. */
export type FileSystemVerdict =
  | { readonly _tag: 'Refused'; readonly name: string }
  /** May be local or on another machine; the type does not say which. */
  | { readonly _tag: 'Doubtful'; readonly name: string }
  | { readonly _tag: 'Suited' }

const REFUSED: Readonly<Record<number, string>> = {
  26985: 'NFS',
  20859: 'SMB',
  4266872130: 'SMB',
  4283649346: 'SMB',
  22092: 'NCP',
  1397113167: 'AFS',
  1799439955: 'AFS',
  1937076805: 'Coda',
  12805120: 'Ceph',
  198183888: 'Lustre',
  1196443219: 'GPFS',
  428016422: 'BeeGFS',
  2866260714: 'PanFS',
}

const DOUBTFUL: Readonly<Record<number, string>> = {
  1702057286: 'FUSE',
  16914839: '9P',
  2020557398: 'a shared folder of VirtualBox',
  3133910204: 'a shared folder of VMware',
  2088527475: 'a shared folder of Parallels',
}

/** The verdict on a type; on other platforms than Linux the numbers differ, so every type is `Suited`. */
export const judgeFileSystem = (type: number, platform: NodeJS.Platform): FileSystemVerdict => {
  if (platform !== 'linux') return { _tag: 'Suited' }
  // on some machines the number is signed
  const [refused, doubtful] = [REFUSED[type >>> 0], DOUBTFUL[type >>> 0]]
  if (refused !== undefined) return { _tag: 'Refused', name: refused }
  return doubtful === undefined ? { _tag: 'Suited' } : { _tag: 'Doubtful', name: doubtful }
}

// On which file systems SQLite is safe.

/** File systems on another machine, where locks and shared memory do not hold, by the types that Linux gives them (statfs(2)). */
const NETWORK: Readonly<Record<number, string>> = {
  26985: 'NFS',
  20859: 'SMB',
  4266872130: 'SMB',
  4283649346: 'SMB',
  12805120: 'Ceph',
  198183888: 'Lustre',
  1196443219: 'GPFS',
}

export const checkFileSystem = (type: number, platform: NodeJS.Platform = process.platform): void => {
  // on some machines the number is signed
  const network = platform === 'linux' ? NETWORK[type >>> 0] : undefined
  const reason = `it is on ${network}, a network file system, on which SQLite may lose data; use a local disk, or MongoDB`
  if (network !== undefined) throw new Error(reason)
}

/** Sets an entry of a map that may have `most`: the oldest makes room, which is the first, because a map keeps the order of insertion. */
export const setWithin = <K, V>(map: Map<K, V>, most: number, key: K, value: V): void => {
  const [oldest] = map.size < most ? [] : map.keys()
  if (oldest !== undefined) map.delete(oldest)
  map.set(key, value)
}

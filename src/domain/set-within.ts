/** Sets the newest entry of a map that keeps at most `most`; the oldest makes room. A map keeps the order of insertion. */
export const setWithin = <K, V>(map: Map<K, V>, most: number, key: K, value: V): void => {
  map.delete(key)
  map.set(key, value)
  const [oldest] = map.size > most ? map.keys() : []
  if (oldest !== undefined) map.delete(oldest)
}

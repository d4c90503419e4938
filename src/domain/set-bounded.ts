/** Sets the newest entry of a map, and evicts the oldest one when the map is full. A map keeps the order of insertion. */
export const setBounded = <K, V>(map: Map<K, V>, maxSize: number, key: K, value: V): void => {
  map.delete(key)
  map.set(key, value)
  const [oldest] = map.size > maxSize ? map.keys() : []
  if (oldest !== undefined) map.delete(oldest)
}

/** Sets an entry as the newest one, and evicts the oldest one if the map is full. Maps keep insertion order. */
export const setBounded = <K, V>(map: Map<K, V>, maxSize: number, key: K, value: V): void => {
  map.delete(key)
  map.set(key, value)
  const [oldest] = map.size > maxSize ? map.keys() : []
  if (oldest !== undefined) map.delete(oldest)
}

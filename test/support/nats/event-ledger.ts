import { expect } from 'vitest'

const DATA = ',"data":'

const eventIdOf = (text: string): unknown => (JSON.parse(text) as { readonly id: unknown }).id

/** The text of `data`, untouched: a parser would round its integers. */
const petTextOf = (text: string): string => text.slice(text.indexOf(DATA) + DATA.length, -1)
const petIdOf = (petText: string): string => /^\{"id":(\d+)/.exec(petText)?.[1] ?? ''

export const makeEventLedger = () => {
  const told = new Map<string, string>()
  const seen = new Map<string, string[]>()
  return {
    /** Resolves to whether the create was acknowledged. */
    create: async (url: string, key: string, name: string): Promise<boolean> => {
      try {
        const response = await fetch(`${url}/pets`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: `{"name":${JSON.stringify(name)},"categoryId":9223372036854775807}`,
          signal: AbortSignal.timeout(5_000),
        })
        const text = await response.text()
        if (response.status === 201) told.set(petIdOf(text), text)
        return response.status === 201
      } catch {
        // the service was killed: the create was not acknowledged
        return false
      }
    },
    see: (text: string): void => {
      const id = petIdOf(petTextOf(text))
      seen.set(id, [...(seen.get(id) ?? []), text])
    },
    acknowledged: () => told.size,
    doubles: () => [...seen.values()].reduce((sum, { length }) => sum + length - 1, 0),
    /** Every acknowledged pet has arrived as the API returned it, and duplicates are identical. */
    check: (): void => {
      expect([...told.keys()].filter((id) => !seen.has(id))).toStrictEqual([])
      for (const [id, texts] of seen) {
        expect(new Set(texts).size, `different events of pet ${id}`).toBe(1)
        const [first = ''] = texts
        if (told.has(id)) expect(petTextOf(first)).toBe(told.get(id))
      }
      expect(new Set([...seen.values()].flat().map(eventIdOf)).size).toBe(seen.size)
    },
  }
}

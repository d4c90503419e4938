// A user's program: a client of the HTTP interface that lists what is for sale.

/** The names of available animals, newest first, from all pages. */
export const namesForSale = async (baseUrl: string, apiKey: string): Promise<readonly string[]> => {
  const names: string[] = []
  let next: string | undefined = `${baseUrl}/pets?status=available&limit=2`
  while (next !== undefined) {
    const answer: Response = await fetch(next, { headers: { Authorization: `Bearer ${apiKey}` } })
    if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`)
    names.push(...((await answer.json()) as readonly { readonly name: string }[]).map(({ name }) => name))
    next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('Link') ?? '')?.[1]
  }
  return names
}

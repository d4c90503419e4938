// The first key of a store that has none, created at its first start and printed once.
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { systemClock } from '../adapters/node/clock.js'
import { nodeCrypto } from '../adapters/node/crypto.js'
import type { Config } from '../config/config.js'
import { SCOPES } from '../domain/api-key.js'
import { createApiKey } from '../domain/create-api-key.js'
import type { Unavailable } from '../domain/errors.js'
import type { Store } from '../ports/store.js'

/** What to print; none if there are keys already, or if only an operator creates them. */
export const firstKeyText = (
  { apiKeys }: Store,
  kind: Config['store']['_tag'],
  url: string,
): TE.TaskEither<Unavailable, O.Option<string>> => {
  const create = createApiKey({ apiKeys, clock: systemClock, crypto: nodeCrypto })
  const issue = create({ name: O.some('first key'), scopes: SCOPES, lifetimeMs: O.none })
  const curl = (text: string): string => `Try it:  curl -H "Authorization: Bearer ${text}" ${url}/pets`
  switch (kind) {
    case 'mongodb':
      return TE.right(O.none)
    case 'memory':
      return pipe(
        issue,
        TE.map(({ text }) => O.some(`API key (gone when this process ends): ${text}\n${curl(text)}\n`)),
      )
    case 'embedded':
      return pipe(
        apiKeys.list,
        TE.flatMap((keys) => (keys.length > 0 ? TE.right(O.none) : pipe(issue, TE.map(O.some)))),
        TE.map(O.map(({ text }) => `API key (shown this once): ${text}\n${curl(text)}\n`)),
      )
  }
}

// The faults that are planted, one at a time.
/** Each fault breaks one promise of the ports. */
export const FAULTS = [
  'gives the key of a refused pet to the pet that has its id',
  'takes a key from the pet that holds it for an imported one',
  'overwrites a pet that differs from the imported one',
  'replaces an API key by an older state of it',
  'leaves the counter behind imported pets',
  'draws ids below stored pets after the counter was lost',
  'forgets an idempotency key when it expires',
  'frees an idempotency key a millisecond early',
  'adds the pets of two retries that race',
  'takes a pet below a position of the log that it has given out',
  'passes events that did not fit on a page of the log',
  'fails the creates beside one that it cannot store',
  'adds two first API keys at once',
  'changes an API key after its revocation',
  'saves the record of the relay over a newer one',
  'announces another page after the last one',
] as const
export type Fault = (typeof FAULTS)[number]

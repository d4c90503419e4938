/** The faults that are planted, one at a time, by the contract suite that must find them. Each breaks one promise of a port. */
export const FAULTS = {
  PetRepository: [
    'forgets an idempotency key when it expires',
    'frees an idempotency key a millisecond early',
    'adds the pets of two retries that race',
    'fails the creates beside one that it cannot store',
    'announces another page after the last one',
  ],
  ApiKeyStore: ['adds two first API keys at once', 'changes an API key after its revocation'],
  Archive: [
    'gives the key of a refused pet to the pet that has its id',
    'takes a key from the pet that holds it for an imported one',
    'overwrites a pet that differs from the imported one',
    'replaces an API key by an older state of it',
    'leaves the counter behind imported pets',
  ],
  EventLog: [
    'takes a pet below a position of the log that it has given out',
    'passes events that did not fit on a page of the log',
  ],
  RelayState: ['saves the record of the relay over a newer one'],
  'several stores in one place': ['draws ids below stored pets after the counter was lost'],
} as const
export type Suite = keyof typeof FAULTS
export type Fault = (typeof FAULTS)[Suite][number]

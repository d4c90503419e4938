// The one error of the server that the adapter expects.
import { MongoServerError } from 'mongodb'

/** "E11000 duplicate key error", of whichever unique index. */
export const DUPLICATE_KEY = 11_000

export const isDuplicateKey = (error: unknown): boolean =>
  error instanceof MongoServerError && error.code === DUPLICATE_KEY

// The only server error that the adapter expects.
import { MongoServerError } from 'mongodb'

/** "E11000 duplicate key error", for any unique index. */
export const DUPLICATE_KEY = 11_000

export const isDuplicateKey = (error: unknown): error is MongoServerError =>
  error instanceof MongoServerError && error.code === DUPLICATE_KEY

// Tells a file that is not there from one that cannot be used.

export const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** What the look at a file tells; undefined if there is no such file. */
export const unlessMissing = async <A>(look: Promise<A>): Promise<A | undefined> => {
  try {
    return await look
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

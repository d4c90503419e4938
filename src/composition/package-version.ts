// The version of this package. Not read from package.json, which a bundle does not have.

/** A test compares it with package.json. */
export const VERSION = '1.0.0'

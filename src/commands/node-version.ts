// Only syntax and members of Node.js that an old version has, too.

/** As in `engines` of package.json. */
const [MAJOR, MINOR] = [20, 19]

/** One line if this version of Node.js is too old. */
export const versionProblem = (version: string): string | undefined => {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > MAJOR || (major === MAJOR && minor >= MINOR)
    ? undefined
    : `animal-store needs Node.js ${MAJOR}.${MINOR} or later; this is ${version}`
}

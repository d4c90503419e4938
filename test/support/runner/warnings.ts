// What Node has warned of, in this process and in those that the tests started.
const warnings: string[] = []

export const warnedBy = (warning: Error): void => void warnings.push(warning.stack ?? warning.message)

/** Finds Node's own warnings in what a process has printed. */
export const warnedIn = (stderr: string): void => void warnings.push(...(stderr.match(/^\(node:\d+\) .*/gm) ?? []))

export const takeWarnings = (): readonly string[] => warnings.splice(0)

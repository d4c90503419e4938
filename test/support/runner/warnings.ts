// Node's warnings in this process and in those that the tests started.
const warnings: string[] = []

export const warnedBy = (warning: Error): void => void warnings.push(warning.stack ?? warning.message)

export const warnedIn = (stderr: string): void => void warnings.push(...(stderr.match(/^\(node:\d+\) .*/gm) ?? []))

export const takeWarnings = (): readonly string[] => warnings.splice(0)

// The systemd unit and its drop-in, as lines that `systemd-analyze verify` has accepted.
import { readFileSync } from 'node:fs'

const FOLDER = 'deploy/systemd'

export const unitText = readFileSync(`${FOLDER}/animal-store.service`, 'utf8')
export const dropInText = readFileSync(`${FOLDER}/mongodb.conf`, 'utf8')

export const valuesOf = (text: string, key: string): readonly string[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith(`${key}=`))
    .map((line) => line.slice(key.length + 1))

export const environmentOf = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    valuesOf(text, 'Environment').map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  )

// Finds variables that look like a misspelt setting.
import { fileVariable, rowOf, SETTING_NAMES } from './settings.js'

/** The names of all variables that we read. */
export const VARIABLES: ReadonlySet<string> = new Set(
  SETTING_NAMES.flatMap((name) => (rowOf(name).isSecret ? [name, fileVariable(name)] : [name])),
)

/** Whether at most `typos` characters were added, lost, changed or swapped with the next. */
const isClose = (one: string, other: string, typos: number): boolean => {
  if (one === '' || other === '') return Math.max(one.length, other.length) <= typos
  const [rest, otherRest] = [one.slice(1), other.slice(1)]
  if (one[0] === other[0]) return isClose(rest, otherRest, typos)
  const isSwapped = one[0] === other[1] && one[1] === other[0]
  const pairs = [
    [rest, otherRest],
    [rest, other],
    [one, otherRest],
    ...(isSwapped ? [[one.slice(2), other.slice(2)] as const] : []),
  ] as const
  return typos > 0 && pairs.some(([left, right]) => isClose(left, right, typos - 1))
}

/** The longest name of which two wrong letters make another word: HOME is not a HOST. */
const SHORT = 'STORE'.length

const isMeant = (name: string, variable: string, typos: number): boolean => {
  if (variable.length > SHORT) return isClose(name, variable, typos)
  // platforms set PORT0, PORTS and the like
  const isLonger = name !== variable && name.startsWith(variable)
  return typos < 2 && !isLonger && isClose(name, variable, typos)
}

/** One line if the name, which is no variable of ours, looks like one of them. */
export const hintsAbout = (name: string): readonly string[] => {
  const plain = name.toUpperCase().replaceAll('-', '_')
  const close = [0, 1, 2].flatMap((typos) => [...VARIABLES].filter((variable) => isMeant(plain, variable, typos)))
  return close.slice(0, 1).map((meant) => `${name} is no setting and is ignored; ${meant} is one`)
}

/** Kubernetes and Docker set the address of a service or linked container named `metric` as METRIC_PORT. */
const IS_OF_PLATFORM = /^(?:tcp|udp|sctp):\/\//

/** One line per variable of the environment that looks like a misspelt setting. */
export const environmentHints = (environment: NodeJS.ProcessEnv): readonly string[] =>
  Object.entries(environment).flatMap(([name, value]) =>
    VARIABLES.has(name) || IS_OF_PLATFORM.test(value ?? '') ? [] : hintsAbout(name),
  )

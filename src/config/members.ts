// The settings that are a member of the configuration each, and their defaults.
import * as E from 'fp-ts/lib/Either.js'
import { rowOf, SETTING_NAMES, type SETTINGS, type SettingName, type ValuesOf } from './settings.js'

type MemberOf<N extends SettingName> = (typeof SETTINGS)[N] extends { readonly member: infer M extends string }
  ? M
  : never

type MemberName = { [N in SettingName]: MemberOf<N> extends never ? never : N }[SettingName]

export type Members = { readonly [N in MemberName as MemberOf<N>]: ValuesOf<N>[N] }

export const MEMBER_NAMES = SETTING_NAMES.filter((name): name is MemberName => rowOf(name).member !== undefined)

// the table has a row for each member
export const membersOf = (values: ValuesOf<MemberName>): Members =>
  Object.fromEntries(MEMBER_NAMES.map((name) => [rowOf(name).member ?? name, values[name]])) as Members

const defaultOf = (name: MemberName): unknown => {
  const { default: text, parser } = rowOf(name)
  return text === undefined ? undefined : E.toUnion(parser.parse(text))
}

/** The members in an empty environment. */
export const DEFAULTS = Object.fromEntries(MEMBER_NAMES.map((name) => [rowOf(name).member, defaultOf(name)])) as Members

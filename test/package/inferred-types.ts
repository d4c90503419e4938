// A program per entry that exports what its functions return, what those results hold, and so on, without naming a type: its
// declarations can be written only if the entry exports each type that they need.
import ts from 'typescript'
import { type Entry, readApi } from './entries.js'

const HEAD = `declare const argumentsOf: <F>(called: F) => F extends (...all: infer A) => unknown ? A : never
declare const rightOf: <A>(either: { readonly _tag: 'Left' } | { readonly _tag: 'Right'; readonly right: A }) => A
`

/** How far a program follows results: the result of a curried use case over a store, once it is awaited and was no failure. */
const DEPTH = 5

/** The text of the program by entry. */
export const inferringPrograms = (entries: readonly Entry[]): ReadonlyMap<Entry, string> => {
  const { checker, exportsOf } = readApi()

  const isOurs = (type: ts.Type): boolean =>
    (type.aliasSymbol ?? type.symbol)?.declarations?.some((node) => /\/dist\//.test(node.getSourceFile().fileName)) ??
    false

  const programOf = (entry: Entry): string => {
    const lines: string[] = []
    const seen = new Set<ts.Type>()
    const follow = (expression: string, type: ts.Type, depth: number): void => {
      const name = `value${lines.length}`
      lines.push(`export const ${name} = ${expression}`)
      if (depth === 0 || seen.has(type)) return
      seen.add(type)
      const [signature] = type.getCallSignatures()
      if (signature) {
        follow(`${name}(...argumentsOf(${name}))`, checker.getReturnTypeOfSignature(signature), depth - 1)
        return
      }
      const awaited = checker.getAwaitedType(type)
      if (awaited !== undefined && awaited !== type) {
        follow(`await ${name}`, awaited, depth)
        return
      }
      const right = type.isUnion() ? type.types.find((member) => member.symbol?.name === 'Right') : undefined
      const held = right?.getProperty('right')
      if (held !== undefined) follow(`rightOf(${name})`, checker.getTypeOfSymbol(held), depth)
      else if (isOurs(type) && !type.isUnion())
        for (const member of type.getProperties())
          if (/^\w+$/.test(member.name)) follow(`${name}.${member.name}`, checker.getTypeOfSymbol(member), depth - 1)
    }
    for (const exported of exportsOf(entry))
      if (exported.flags & ts.SymbolFlags.Value)
        follow(`entry.${exported.name}`, checker.getTypeOfSymbol(exported), DEPTH)
    return [`import * as entry from '${entry.name}'`, HEAD, ...lines, ''].join('\n')
  }

  return new Map(entries.map((entry) => [entry, programOf(entry)]))
}

// The public API as text: every declaration of an entry point, and all of our types that it uses.
import { resolve, sep } from 'node:path'
import ts from 'typescript'
import { entries, readApi } from './entries.js'

const PRINTER = ts.createPrinter({ removeComments: true })
const OURS = resolve('dist') + sep

/** For a variable, the whole statement, which contains its type. */
const whole = (node: ts.Declaration): ts.Node => (ts.isVariableDeclaration(node) ? node.parent.parent : node)

const isTopLevel = (node: ts.Declaration): boolean => !ts.isSourceFile(node) && ts.isSourceFile(whole(node).parent)
const isOurs = (node: ts.Declaration): boolean => resolve(node.getSourceFile().fileName).startsWith(OURS)

const print = (symbol: ts.Symbol): string =>
  (symbol.declarations ?? [])
    .map((node) => PRINTER.printNode(ts.EmitHint.Unspecified, whole(node), node.getSourceFile()))
    .join('\n')

const section = (title: string, symbols: readonly ts.Symbol[]): string => {
  const sorted = [...symbols].sort((one, other) => (one.name < other.name ? -1 : 1))
  return `## ${title}\n\n\`\`\`ts\n${sorted.map(print).join('\n')}\n\`\`\`\n`
}

export const apiReports = (): readonly string[] => {
  const { checker, exportsOf, target } = readApi()

  /** Adds our types that a symbol uses, directly or indirectly. */
  const reach = (symbol: ts.Symbol, seen: Set<ts.Symbol>): void => {
    const visit = (node: ts.Node): void => {
      const named = ts.isIdentifier(node) ? checker.getSymbolAtLocation(node) : undefined
      const found = named && target(named)
      const declaration = found?.declarations?.[0]
      if (found && declaration && isTopLevel(declaration) && isOurs(declaration) && !seen.has(found)) {
        seen.add(found)
        reach(found, seen)
      }
      ts.forEachChild(node, visit)
    }
    for (const declaration of symbol.declarations ?? []) visit(whole(declaration))
  }

  const all = entries.map(exportsOf)
  const byName = new Set(all.flat())
  const printed = new Set<ts.Symbol>()
  return all.map((exported) => {
    const seen = new Set(exported)
    for (const symbol of exported) reach(symbol, seen)
    const others = [...seen].filter((symbol) => !byName.has(symbol))
    const own = exported.filter((symbol) => !printed.has(symbol))
    const again = exported.flatMap((symbol) => (printed.has(symbol) ? [`\`${symbol.name}\``] : [])).sort()
    for (const symbol of exported) printed.add(symbol)
    return [
      section('Exported', own),
      ...(again.length > 0 ? [`Also exported, as by an earlier entry of package.json: ${again.join(', ')}.\n`] : []),
      ...(others.length > 0 ? [section('Named by these', others)] : []),
    ].join('\n')
  })
}

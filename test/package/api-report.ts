// The public API as text: every declaration of an entry point, and every type of ours that one of them names.
import ts from 'typescript'

const PRINTER = ts.createPrinter({ removeComments: true })

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  strict: true,
  skipLibCheck: true,
  types: ['node'],
}

/** The declaration as a whole: of a variable the statement, which holds the type. */
const whole = (node: ts.Declaration): ts.Node => (ts.isVariableDeclaration(node) ? node.parent.parent : node)

const isTopLevel = (node: ts.Declaration): boolean => !ts.isSourceFile(node) && ts.isSourceFile(whole(node).parent)

const print = (symbol: ts.Symbol): string =>
  (symbol.declarations ?? [])
    .map((node) => PRINTER.printNode(ts.EmitHint.Unspecified, whole(node), node.getSourceFile()))
    .join('\n')

/** Reports on the declaration files of the entry points, one report each, in their order. */
export const apiReports = (files: readonly string[], ours: (file: string) => boolean): readonly string[] => {
  const program = ts.createProgram([...files], OPTIONS)
  const checker = program.getTypeChecker()

  const target = (symbol: ts.Symbol): ts.Symbol =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol

  const exportsOf = (file: string): readonly ts.Symbol[] => {
    const source = program.getSourceFile(file)
    const module = source && checker.getSymbolAtLocation(source)
    return module === undefined ? [] : checker.getExportsOfModule(module).map(target)
  }

  /** The types of ours that a symbol's declarations name, by themselves or through others. */
  const reached = (symbol: ts.Symbol, seen: Set<ts.Symbol>): void => {
    const visit = (node: ts.Node): void => {
      const named = ts.isIdentifier(node) ? checker.getSymbolAtLocation(node) : undefined
      const found = named && target(named)
      const declaration = found?.declarations?.[0]
      const isOurs = declaration && isTopLevel(declaration) && ours(declaration.getSourceFile().fileName)
      if (found && isOurs && !seen.has(found)) {
        seen.add(found)
        reached(found, seen)
      }
      ts.forEachChild(node, visit)
    }
    for (const declaration of symbol.declarations ?? []) visit(whole(declaration))
  }

  const text = (symbols: readonly ts.Symbol[]): string =>
    [...symbols]
      .sort((one, other) => (one.name < other.name ? -1 : 1))
      .map(print)
      .join('\n')

  const all = files.map(exportsOf)
  const byName = new Set(all.flat())
  return all.map((exported) => {
    const seen = new Set(exported)
    for (const symbol of exported) reached(symbol, seen)
    const others = [...seen].filter((symbol) => !byName.has(symbol))
    const part = (title: string, symbols: readonly ts.Symbol[]) => `## ${title}\n\n\`\`\`ts\n${text(symbols)}\n\`\`\`\n`
    return [part('Exported', exported), ...(others.length > 0 ? [part('Named by these', others)] : [])].join('\n')
  })
}

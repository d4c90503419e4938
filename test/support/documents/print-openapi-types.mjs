// Prints the types of openapi.yaml, with bigint for int64. JavaScript, so that tsc does not check its packages.
import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'

const BIGINT = ts.factory.createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword)

const types = await openapiTS(new URL('../../../openapi.yaml', import.meta.url), {
  immutable: true,
  transform: ({ format }) => (format === 'int64' ? BIGINT : undefined),
})
process.stdout.write(
  `// Written by \`npm run docs\` from openapi.yaml. An int64 is a bigint, as parseJson reads it.\n\n${astToString(types)}`,
)

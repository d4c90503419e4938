// Prints the section of CHANGELOG.md of a tag. Fails if the tag is not the version of package.json, or the section has no date.
// node .ci/release-notes.js vX.Y.Z
import { readFileSync } from 'node:fs'

const read = (path) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
const stop = (reason) => {
  process.stderr.write(`${reason}\n`)
  process.exit(1)
}

const [, , tag = ''] = process.argv
const { version } = JSON.parse(read('package.json'))
if (tag !== `v${version}`) stop(`the tag is ${tag || 'missing'}, but package.json has the version ${version}`)

const sections = read('CHANGELOG.md').split(/^## /m)
const section = sections.find((one) => one.startsWith(`[${version}]`))
if (section === undefined) stop(`CHANGELOG.md has no section [${version}]`)
const [heading = '', ...lines] = section.split('\n')
if (!/^\[.+\] - \d{4}-\d{2}-\d{2}$/.test(heading)) stop(`the heading "${heading}" has no date`)
const text = lines.join('\n').trim()
if (text === '') stop(`the section [${version}] is empty`)
process.stdout.write(`${text}\n`)

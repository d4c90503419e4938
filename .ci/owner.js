// Puts the names that only the owner can give, from owner.json, into package.json and SECURITY.md. Prints those that are missing.
// A name is null until the owner gives it: nothing may be invented, because registries and readers rely on it.
// node .ci/owner.js
import { readFileSync, writeFileSync } from 'node:fs'

const at = (path) => new URL(`../${path}`, import.meta.url)
const read = (path) => readFileSync(at(path), 'utf8')
// others may read it at the same time
const write = (path, text) => text === read(path) || writeFileSync(at(path), text)

const ADDRESS = /^https:\/\/[^\s"<>]+$/
const NAMES = {
  repository: [
    'the repository, https://…, which must be the one of the workflow: npm refuses provenance without it',
    ADDRESS,
  ],
  homepage: ['the page of the project, https://…', ADDRESS],
  bugs: ['where people report bugs, https://…', ADDRESS],
  securityContact: [
    'whom people tell of a vulnerability: an address of mail or https://…',
    /^(?:https:\/\/[^\s"<>]+|[^\s@<>]+@[^\s@<>]+)$/,
  ],
  image: ['the image without a tag, REGISTRY/OWNER/NAME', /^[a-z0-9.:-]+\.[a-z0-9.:-]+(?:\/[a-z0-9._-]+)+$/],
}

const names = JSON.parse(read('.ci/owner.json'))
const problems = [
  ...Object.keys(names).flatMap((name) => (name in NAMES ? [] : [`${name} is unknown`])),
  ...Object.entries(NAMES).flatMap(([name, [meaning, form]]) =>
    (names[name] ?? null) === null || form.test(names[name]) ? [] : [`${name}: wanted ${meaning}`],
  ),
]
if (problems.length > 0) {
  process.stderr.write(`owner.json: ${problems.join('; ')}\n`)
  process.exit(1)
}

const { repository, homepage, bugs, securityContact } = names
const { name, version, description, repository: _, homepage: __, bugs: ___, ...rest } = JSON.parse(read('package.json'))
const given = {
  ...(repository && { repository: { type: 'git', url: `git+${repository}.git` } }),
  ...(homepage && { homepage }),
  ...(bugs && { bugs: { url: bugs } }),
}
write('package.json', `${JSON.stringify({ name, version, description, ...given, ...rest }, null, 2)}\n`)
write(
  '.github/SECURITY.md',
  read('.github/SECURITY.md').replace(
    /(<!-- owner -->).*(<!-- \/owner -->)/,
    (_all, begin, end) => `${begin}${securityContact ?? 'its maintainers'}${end}`,
  ),
)
for (const [name, [meaning]] of Object.entries(NAMES))
  if ((names[name] ?? null) === null) process.stdout.write(`${name}: ${meaning}\n`)

// The image under another user: OpenShift runs containers under a random one of group 0.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

it.each(['/data', '/backups'])('gives %s to group 0, which may write there', (folder) => {
  const dockerfile = readFileSync('Dockerfile', 'utf8')
  expect(dockerfile).toContain(`COPY --from=build --chown=node:0 ${folder} ${folder}\n`)
  expect(dockerfile).toMatch(new RegExp(`mkdir -m 0770 .*${folder}\\b`))
})

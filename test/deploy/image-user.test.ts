// The image under another user: OpenShift runs containers under a random one of group 0.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

it('gives its volumes to group 0, which may write there', () => {
  const [, image] = readFileSync('Dockerfile', 'utf8').split(/^FROM .*(?<!build)$/m)
  // a mode that is set in an earlier stage is lost by COPY with the classic builder
  expect(image).toContain('RUN mkdir -m 0770 /data /backups && chown 1000:0 /data /backups\n')
})

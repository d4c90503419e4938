// A self-signed certificate for 127.0.0.1, generated for each test: a committed key is not a secret.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Needs openssl. */
export const makeCertificate = async (folder: string) => {
  const files = { certificate: join(folder, 'certificate.pem'), key: join(folder, 'key.pem') }
  const form = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc', '-days', '1']
  const subject = ['-subj', '/CN=tests of animal-store', '-addext', 'subjectAltName=IP:127.0.0.1']
  await promisify(execFile)('openssl', ['req', ...form, ...subject, '-keyout', files.key, '-out', files.certificate])
  return files
}

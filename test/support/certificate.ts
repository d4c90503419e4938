// A certificate for 127.0.0.1 that is its own authority, and its key: made anew for each test, since a key that is committed is none.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

export interface CertificateFiles {
  readonly certificate: string
  readonly key: string
}

/** Their paths in the folder; it takes the program openssl. */
export const makeCertificate = async (folder: string): Promise<CertificateFiles> => {
  const files = { certificate: join(folder, 'certificate.pem'), key: join(folder, 'key.pem') }
  const form = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc', '-days', '1']
  const subject = ['-subj', '/CN=tests of animal-store', '-addext', 'subjectAltName=IP:127.0.0.1']
  await promisify(execFile)('openssl', ['req', ...form, ...subject, '-keyout', files.key, '-out', files.certificate])
  return files
}

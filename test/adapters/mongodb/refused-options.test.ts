// What the driver refuses in a URI is named, because the URI itself is never shown.
import { expect, it } from 'vitest'
import { makeDatabase } from '../../../src/adapters/mongodb/connection/connection.js'

const SECRET = 'hunter'

it.each([
  // beside our own read preference
  ['maxStalenessSeconds=100', 'maxStalenessSeconds'],
  ['foo=bar', 'foo'],
  ['foo=1&journal=true&other=2', 'foo and other'],
  ['tls=maybe', 'tls'],
  ['tls=true&ssl=false', 'tls and ssl'],
  ['appName=a&appName=b', 'appName'],
  ['loadBalanced=true&replicaSet=x', 'loadBalanced and replicaSet'],
  ['w=majority&wtimeoutMS=soon', 'wtimeoutMS'],
  ['compressors=bogus', 'compressors'],
  ['authMechanism=BOGUS', 'authMechanism'],
  ['retryWrites=7', 'retryWrites'],
  ['tlsInsecure=true&tlsAllowInvalidCertificates=true', 'tlsInsecure and tlsAllowInvalidCertificates'],
  ['srvMaxHosts=2', 'srvMaxHosts'],
  ['proxyHost=x&proxyUsername=u', 'proxyHost and proxyUsername'],
  ['serverMonitoringMode=bogus', 'serverMonitoringMode'],
  ['maxConnecting=0', 'maxConnecting'],
  [`tls=true&tlsCertificateKeyFilePassword=a&${SECRET}`, 'the URI'],
])('of %s the driver refuses: %s', (query, refused) => {
  const open = () => makeDatabase(`mongodb://user:${SECRET}@localhost/pets?${query}`, 'requests')
  expect(open).toThrow(new Error(`the MongoDB driver refuses ${refused}`))
})

it.each(['mongodb://', `mongodb://user:${SECRET}%x@localhost/pets?tls=true`, 'mongodb+srv://a.b.c:27017/pets'])(
  '%s has no option at fault',
  (uri) => {
    expect(() => makeDatabase(uri, 'requests')).toThrow(new Error('the MongoDB driver refuses the URI'))
  },
)

it('names directConnection if there are several hosts', () => {
  const open = () => makeDatabase('mongodb://a,b/pets?directConnection=true&tls=false', 'requests')
  expect(open).toThrow(new Error('the MongoDB driver refuses directConnection'))
})

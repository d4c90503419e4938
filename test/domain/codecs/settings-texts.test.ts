import fc from 'fast-check'
import { describe } from 'vitest'
import { EventsTypePrefix, Origin, PublicUrl } from '../../../src/domain/codecs/scalar.js'
import { codecSuite, sharing } from '../../support/domain/codec-suite.js'

describe('texts of the settings', () => {
  const addresses = ['', 'https://pets.example', 'pets.example/v1', 'https://k\u{e4}se.example/v1', 'https://[/v1']
  codecSuite({
    name: 'PublicUrl',
    codec: PublicUrl,
    values: () => fc.tuple(fc.domain(), fc.nat(65_535)).map(([name, port]) => `http://${name}:${port}/shop/v1`),
    refused: sharing('must be an absolute http or https URL in ASCII that ends with /v1', [
      ...addresses,
      ...['https://me:secret@pets.example/v1', 'https://pets.example/>/v1', 'https://pets.example/v1?a', 1, undefined],
    ]),
  })
  codecSuite({
    name: 'Origin',
    codec: Origin,
    values: () => fc.webUrl().map((url) => new URL(url).origin),
    refused: sharing('must be an origin like https://shop.example', [
      ...['*', 'null', '', 'shop.example', 'https://shop.example/', 'https://Shop.example', 'https://a.example:443', 1],
    ]),
  })
  codecSuite({
    name: 'EventsTypePrefix',
    codec: EventsTypePrefix,
    values: () => fc.stringMatching(/^[a-z0-9][\w-]{0,20}(?:\.[a-z0-9][\w-]{0,20}){0,3}$/),
    refused: sharing(
      'must be words of letters, digits, - and _ that begin with a letter or digit, joined by dots (200 characters at most)',
      ['', '.', 'a.', 'a..b', '_INBOX', 'a.*', 'org.>', 'a b', '\u{e4}', 'a'.repeat(201), 1],
    ),
  })
})

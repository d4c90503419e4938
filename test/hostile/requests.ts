// The texts of an attacker's requests.

export const BODY = '{"name":"a","categoryId":1}'

/** A GET; each line ends with CRLF. */
export const get = (path: string, lines = ''): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n${lines}\r\n`

export const authorization = (key: string): string => `Authorization: Bearer ${key}\r\n`

/** The head of a create with a length. */
export const postHead = (key: string, length: number, lines = ''): string =>
  `POST /v1/pets HTTP/1.1\r\nHost: a\r\n${authorization(key)}Content-Type: application/json\r\n` +
  `Content-Length: ${length}\r\n${lines}\r\n`

/** A whole create. */
export const post = (key: string, body = BODY, lines = ''): string =>
  postHead(key, Buffer.byteLength(body), lines) + body

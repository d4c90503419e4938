// Texts of requests for raw sockets. Each line ends with CRLF.

export const BODY = '{"name":"a","categoryId":1}'

export const authorization = (key: string): string => `Authorization: Bearer ${key}\r\n`

export const get = (path: string, lines = ''): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n${lines}\r\n`

/** The head of a create; `lines` frame its body. */
export const framedPost = (key: string, lines: string): string =>
  `POST /v1/pets HTTP/1.1\r\nHost: a\r\n${authorization(key)}Content-Type: application/json\r\n${lines}\r\n`

export const postHead = (key: string, length: number, lines = ''): string =>
  framedPost(key, `Content-Length: ${length}\r\n${lines}`)

export const post = (key: string, body = BODY, lines = ''): string =>
  postHead(key, Buffer.byteLength(body), lines) + body

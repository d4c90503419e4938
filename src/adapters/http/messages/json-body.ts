// The body of a request that must carry JSON: its headers are judged before a byte is read.
import * as E from 'fp-ts/lib/Either.js'
import type { HttpFailure } from '../http-failure.js'
import { readJson } from './json.js'
import type { HttpRequest } from './request.js'

// media-type of RFC 9110 §8.3.1: parameters are tokens or quoted strings
const MEDIA_TYPE =
  /^application\/json[ \t]*(?:;[ \t]*(?:[\w!#$%&'*+.^`|~-]+=(?:[\w!#$%&'*+.^`|~-]+|"[^"\\]*"))?[ \t]*)*$/i
const CHARSET = /;[ \t]*charset="?([^";\s]*)"?/gi

const unsupported = (reason: string): HttpFailure => ({ _tag: 'UnsupportedMediaType', reason })

const mediaTypeFault = (request: HttpRequest): HttpFailure | undefined => {
  const types = request.header('content-type')
  const [type = ''] = types
  if (types.length !== 1 || !MEDIA_TYPE.test(type)) return unsupported('the Content-Type must be application/json')
  const hasParameters = type.includes(';')
  if (hasParameters && ![...type.matchAll(CHARSET)].every(([, charset]) => charset?.toLowerCase() === 'utf-8'))
    return unsupported('the charset must be utf-8')
  const isIdentity = request.header('content-encoding').every((coding) => coding.toLowerCase() === 'identity')
  return isIdentity ? undefined : unsupported('the Content-Encoding must be identity')
}

export const readJsonBody = async (request: HttpRequest): Promise<E.Either<HttpFailure, unknown>> => {
  const fault = mediaTypeFault(request)
  if (fault !== undefined) return E.left(fault)
  const body = await request.body()
  return E.isLeft(body) ? body : readJson(body.right)
}

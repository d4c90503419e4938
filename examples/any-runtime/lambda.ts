// Lambda-style: turns an event of an HTTP API (format 2.0) into its result.
import { handleFrom } from './service.js'

/** Only the members that are used here. */
interface HttpEvent {
  readonly rawPath: string
  readonly rawQueryString: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly isBase64Encoded: boolean
  readonly requestContext: {
    readonly domainName: string
    readonly http: { readonly method: string; readonly sourceIp: string }
  }
}

interface HttpResult {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly isBase64Encoded: true
}

export const handler = async (event: HttpEvent): Promise<HttpResult> => {
  const { rawPath, rawQueryString, headers, body, isBase64Encoded, requestContext } = event
  const { method, sourceIp } = requestContext.http
  const url = `https://${requestContext.domainName}${rawPath}${rawQueryString === '' ? '' : `?${rawQueryString}`}`
  const hasBody = body !== undefined && method !== 'GET' && method !== 'HEAD'
  const bytes = hasBody ? Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8') : null
  const response = await handleFrom(new Request(url, { method, headers, body: bytes }), sourceIp)
  return {
    statusCode: response.status,
    headers: Object.fromEntries(response.headers),
    // as bytes, so that nothing depends on how the gateway treats text
    body: Buffer.from(await response.arrayBuffer()).toString('base64'),
    isBase64Encoded: true,
  }
}

// Failures of the protocol, which the domain never hears of: closed and tagged like its own.

export type HttpFailure =
  | { readonly _tag: 'BadRequest'; readonly reason: string }
  | { readonly _tag: 'MalformedJson'; readonly reason: string }
  | { readonly _tag: 'InvalidParameter'; readonly reason: string }
  | { readonly _tag: 'InvalidCursor' }
  | { readonly _tag: 'MissingApiKey' }
  | { readonly _tag: 'RouteNotFound' }
  | { readonly _tag: 'MethodNotAllowed'; readonly allow: string }
  | { readonly _tag: 'RequestTimeout' }
  | { readonly _tag: 'OperationRemoved' }
  | { readonly _tag: 'PayloadTooLarge'; readonly limit: number }
  | { readonly _tag: 'UnsupportedMediaType'; readonly reason: string }
  | { readonly _tag: 'ExpectationFailed' }
  | { readonly _tag: 'HeadersTooLarge' }

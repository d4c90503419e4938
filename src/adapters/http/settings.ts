// What the HTTP adapter can be told.
import type { Observer } from './observer.js'

export interface AppSettings {
  /** Bytes of a request's body at most. */
  readonly bodyLimit: number
  /** The public base address with `/v1`, if it is not to be taken from each request. */
  readonly publicUrl: string | undefined
  /** Origins whose scripts may use the service, `https://shop.example`. */
  readonly corsOrigins: readonly string[]
  /** Whether GET /pets/{petId} still answers; if not, it is 410. */
  readonly hasGetPet: boolean
  /** True from the beginning of a stop on. */
  readonly isStopping: () => boolean
  readonly observer: Observer
}

// The orders that a test gives to the program of another runtime.
import type { HandlerSettings } from '../../../src/adapters/http/fetch/app.js'

/** The ports that a test may call from outside. */
export type PortName = 'pets' | 'ids' | 'apiKeys' | 'log' | 'relay'

/** Those that are plain values. */
export type PlainSettings = Partial<Omit<HandlerSettings, 'observer' | 'notify' | 'stopping' | 'documentation'>>

export type Order = { readonly host: string } & (
  | { readonly what: 'start'; readonly settings: PlainSettings }
  | { readonly what: 'stop' | 'end' }
  | { readonly what: 'clock'; readonly member: 'advance' | 'setBack'; readonly milliseconds: number }
  | { readonly what: 'port'; readonly port: PortName; readonly member: string; readonly words: readonly unknown[] }
)

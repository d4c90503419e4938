// Brands that cost nothing: a plain number or bigint fits, but one with another unit does not compile.
declare const unit: unique symbol

/** A value with a unit. */
export type Of<A, Unit extends string> = A & { readonly [unit]?: Unit }

// Quantiles of small samples.

/** The value below which `share` (0 to 1) of the sample lies; NaN for an empty sample. */
export const quantile = (sample: readonly number[], share: number): number => {
  const sorted = [...sample].sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** Three significant digits; the others are noise. */
export const rounded = (value: number): number => Number(value.toPrecision(3))

/** A number with its noun: `1 pet`, `2 pets`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

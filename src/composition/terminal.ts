// What a stream of this process can show.

/** Whether it is a terminal that takes escape sequences. Node decides by TERM and NO_COLOR, among others: `dumb` has a depth of 1 bit. */
export const takesEscapes = (stream: Pick<NodeJS.WriteStream, 'isTTY' | 'getColorDepth'>): boolean =>
  stream.isTTY && stream.getColorDepth() > 1

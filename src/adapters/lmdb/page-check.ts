// Walks the pages of LMDB's trees before it maps them: over a damaged page it would end the process, or never come back.
// Layout, in the machine's own byte order: a header, offsets of the nodes from the header's end, free space, the nodes.

const HEADER = 24
/** Of the header, by places of 16 bits: the page's number, its kind, and the borders of its free space. */
const AT = { page: 0, kind: 9, lower: 10, upper: 11, offsets: 12 }
const KIND_MASK = 0x0f
const BRANCH = 0x01
const LEAF = 0x02
const OVERFLOW = 0x04
/** A node: the size of its value (in a branch the number of its child goes on into the flags), flags, size of its key. */
const NODE = { flags: 2, keySize: 3, bytes: 8 }
const IN_OVERFLOW_PAGES = 0x01
const IS_TREE = 0x02
const TREE_BYTES = 48
/** What a leaf holds of a value that has pages of its own: the first of them, at this place how many there are. */
const LONG_VALUE = { bytes: 24, countAt: 16 }
/** Where, in the record of a tree, its root page is named. */
const ROOT_AT = 40
/** The root of an empty tree: all bits set, as a double. */
const NO_PAGE = 2 ** 64

export interface Pages {
  /** How many there are. */
  readonly count: number
  /** The content of a page, good until the next call; throws if the file ends before it. */
  readonly read: (page: number) => Buffer
}

interface Found {
  /** The child of a branch, or the root of a tree that a leaf describes. */
  readonly tree: (page: number) => void
  readonly longValue: (page: number, count: number) => void
}

const damaged = (page: number): Error => new Error(`page ${page} of its data file is damaged`)

const wordsOf = (bytes: Buffer): Uint16Array => new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length >> 1)

const number48 = (words: Uint16Array, at: number): number =>
  (words[at] ?? 0) + (words[at + 1] ?? 0) * 2 ** 16 + (words[at + 2] ?? 0) * 2 ** 32

/** Reads which pages a page of a tree names. */
const follow = (bytes: Buffer, page: number, found: Found): void => {
  const words = wordsOf(bytes)
  const word = (at: number): number => words[at] ?? 0
  const kind = word(AT.kind) & KIND_MASK
  const [lower, upper] = [word(AT.lower), word(AT.upper)]
  const isOurs = number48(words, AT.page) === page && (kind === BRANCH || kind === LEAF)
  if (!isOurs || lower % 2 !== 0 || lower > upper || HEADER + upper > bytes.length) throw damaged(page)
  for (let at = AT.offsets; at < AT.offsets + lower / 2; at += 1) {
    const offset = word(at)
    const node = (HEADER + offset) >> 1
    const value = HEADER + offset + NODE.bytes + word(node + NODE.keySize)
    if (offset < upper || offset % 2 !== 0 || value > bytes.length) throw damaged(page)
    if (kind === BRANCH) {
      found.tree(number48(words, node))
      continue
    }
    const flags = word(node + NODE.flags)
    const isLong = (flags & IN_OVERFLOW_PAGES) !== 0
    const size = isLong ? LONG_VALUE.bytes : word(node) + word(node + 1) * 2 ** 16
    if (value + size > bytes.length) throw damaged(page)
    const number64 = (at: number): number => Number(bytes.readBigUInt64LE(value + at))
    if (isLong) found.longValue(number64(0), number64(LONG_VALUE.countAt))
    if ((flags & IS_TREE) === 0) continue
    if (size !== TREE_BYTES) throw damaged(page)
    found.tree(number64(ROOT_AT))
  }
}

const checkLongValue = (pages: Pages, page: number, count: number): void => {
  if (count < 1 || page + count > pages.count) throw damaged(page)
  const words = wordsOf(pages.read(page))
  if (number48(words, AT.page) !== page || ((words[AT.kind] ?? 0) & KIND_MASK) !== OVERFLOW) throw damaged(page)
  pages.read(page + count - 1)
}

/** Throws at the first page, of those that the roots lead to, that is not as LMDB writes it. */
export const checkPages = (pages: Pages, roots: readonly number[]): void => {
  const todo = [...roots]
  const seen = new Set<number>()
  const longValues: (readonly [page: number, count: number])[] = []
  const found: Found = {
    tree: (page) => todo.push(page),
    longValue: (page, count) => longValues.push([page, count]),
  }
  for (let page = todo.pop(); page !== undefined; page = todo.pop()) {
    if (page === NO_PAGE) continue
    if (page >= pages.count || seen.has(page)) throw damaged(page)
    seen.add(page)
    follow(pages.read(page), page, found)
  }
  for (const [page, count] of longValues) checkLongValue(pages, page, count)
}

// Walks the pages of LMDB's trees before it maps them: over a damaged page it would end the process, or never come back.
// Layout, in the machine's own byte order: a header, offsets of the nodes from the header's end, free space, the nodes.

const HEADER = 24
/** Of the header, by places of 16 bits: the page's number, its kind, and the borders of its free space. */
const AT = { page: 0, kind: 9, lower: 10, upper: 11, offsets: 12 }
const KIND_MASK = 0x0f
const BRANCH = 0x01
const LEAF = 0x02
/** A node: the size of its value (in a branch the number of its child goes on into the flags), flags, size of its key. */
const NODE = { flags: 2, keySize: 3, bytes: 8 }
const IN_OVERFLOW_PAGES = 0x01
const IS_TREE = 0x02
const TREE_BYTES = 48
/** Where, in the record of a tree, its root page is named. */
const ROOT_AT = 40
/** The root of an empty tree: all bits set, as a double. */
const NO_PAGE = 2 ** 64

export interface Pages {
  /** How many there are. */
  readonly count: number
  /** The content of a page, good until the next call. */
  readonly read: (page: number) => Buffer
}

const damaged = (page: number): Error => new Error(`page ${page} of its data file is damaged`)

/** Reads a page's pages: the children of a branch, the roots of the trees that a leaf describes. */
const follow = (bytes: Buffer, page: number, found: (page: number) => void): void => {
  const words = new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length >> 1)
  const word = (at: number): number => words[at] ?? 0
  const number48 = (at: number): number => word(at) + word(at + 1) * 2 ** 16 + word(at + 2) * 2 ** 32
  const kind = word(AT.kind) & KIND_MASK
  const [lower, upper] = [word(AT.lower), word(AT.upper)]
  const isOurs = number48(AT.page) === page && (kind === BRANCH || kind === LEAF)
  if (!isOurs || lower % 2 !== 0 || lower > upper || HEADER + upper > bytes.length) throw damaged(page)
  for (let at = AT.offsets; at < AT.offsets + lower / 2; at += 1) {
    const offset = word(at)
    const node = (HEADER + offset) >> 1
    const value = HEADER + offset + NODE.bytes + word(node + NODE.keySize)
    if (offset < upper || offset % 2 !== 0 || value > bytes.length) throw damaged(page)
    if (kind === BRANCH) {
      found(number48(node))
      continue
    }
    const flags = word(node + NODE.flags)
    const size = (flags & IN_OVERFLOW_PAGES) === 0 ? word(node) + word(node + 1) * 2 ** 16 : NODE.bytes
    if (value + size > bytes.length) throw damaged(page)
    if ((flags & IS_TREE) === 0) continue
    if (size !== TREE_BYTES) throw damaged(page)
    found(Number(bytes.readBigUInt64LE(value + ROOT_AT)))
  }
}

/** Throws at the first page, of those that the roots lead to, that is not as LMDB writes it. */
export const checkPages = (pages: Pages, roots: readonly number[]): void => {
  const todo = [...roots]
  const seen = new Set<number>()
  for (let page = todo.pop(); page !== undefined; page = todo.pop()) {
    if (page === NO_PAGE) continue
    if (page >= pages.count || seen.has(page)) throw damaged(page)
    seen.add(page)
    follow(pages.read(page), page, (next) => todo.push(next))
  }
}

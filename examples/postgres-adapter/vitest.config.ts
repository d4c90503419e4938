// Its own, so that vitest does not take that of the repository around it; without the compiled tests in dist.
export default { test: { include: ['*.test.ts'] } }

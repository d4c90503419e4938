// Its own, so that vitest does not take that of the repository around it; without the compiled tests in dist. The time limits are generous:
// no test may fail because the machine has other work.
export default { test: { include: ['*.test.ts'], testTimeout: 120_000, hookTimeout: 120_000 } }

// Keeps vitest from using the configuration of the repository around it, and the compiled tests in dist. The time
// limits are generous: no test may fail because the machine is busy.
export default { test: { include: ['*.test.ts'], testTimeout: 120_000, hookTimeout: 120_000 } }

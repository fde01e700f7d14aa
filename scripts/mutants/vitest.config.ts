import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** Folders of tests that run for a mutant, if they reach it. */
const folders = process.env['MUTANT_TESTS']?.split(',') ?? [
  'orders',
  'ledger',
  'engine',
  'operator',
  'watcher',
  'webhook',
]
const root = fileURLToPath(new URL('../../', import.meta.url))

/** Tests of the engine, on the sources of the packages: a bundle has no mutants. */
export default defineConfig({
  root,
  resolve: {
    alias: [
      { find: /^@tonplug\/core$/, replacement: `${root}packages/core/src/index.ts` },
      { find: /^@tonplug\/core\/(\w+)$/, replacement: `${root}packages/core/src/$1.ts` },
      { find: /^@tonplug\/testing$/, replacement: `${root}packages/testing/src/index.ts` },
    ],
  },
  test: {
    setupFiles: ['vitest.setup.ts'],
    testTimeout: 60_000,
    // A machine that runs several mutants is slow.
    expect: { poll: { timeout: 10_000 } },
    include: folders.map((folder) => `packages/core/{src,test}/payments/${folder}/**/*.test.ts`),
    exclude: ['**/*.long.test.ts', '**/two-processes.test.ts'],
  },
})

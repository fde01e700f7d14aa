import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const given = process.env['MUTANT_TESTS']?.split(',')
/** Folders of tests that run for a mutant, if they reach it. */
const folders = given ?? [
  'orders',
  'ledger',
  'engine',
  'inbox',
  'invoices',
  'operator',
  'proof',
  'watcher',
  'webhook',
]
/** Tests of stores in memory, of orders that several transfers pay, of refunds and of traces that an index refuses. */
const elsewhere = [
  'packages/testing/test/{inbox,joined-orders,order-repository}.test.ts',
  'packages/simulator/test/{parts,accepted-parts,refunded-parts,refunds-of-surplus}.test.ts',
  'packages/simulator/test/{jetton-recipients,large-traces.long,late-refunds.long}.test.ts',
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
      { find: /^@tonplug\/simulator$/, replacement: `${root}packages/simulator/src/index.ts` },
    ],
  },
  test: {
    setupFiles: ['vitest.setup.ts'],
    testTimeout: 60_000,
    // A machine that runs several mutants is slow.
    expect: { poll: { timeout: 10_000 } },
    include: [
      ...folders.map((folder) => `packages/core/{src,test}/payments/${folder}/**/*.test.ts`),
      ...(given === undefined ? elsewhere : []),
    ],
    // Long tests of the core measure time and requests: they reach no code that the others do not.
    exclude: ['packages/core/**/*.long.test.ts', '**/two-processes.test.ts'],
  },
})

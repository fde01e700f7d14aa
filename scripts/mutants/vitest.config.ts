import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { sources } from './list.mjs'

const root = fileURLToPath(new URL('../../', import.meta.url))
const files = process.env['MUTANT_TESTS']?.split(',')

/** Keeps the files in the order in which they are named. */
class InOrder extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number =>
      files?.indexOf(moduleId.slice(root.length)) ?? 0
    return specifications.toSorted((one, other) => place(one) - place(other))
  }
}

/** Tests of the engine, on the sources of the packages: a bundle has no mutants. */
export default defineConfig({
  root,
  plugins: [
    {
      name: 'mutants',
      enforce: 'pre',
      load: (id) => sources.get(id),
    },
  ],
  resolve: {
    alias: [
      { find: /^@tonplug\/core$/, replacement: `${root}packages/core/src/index.ts` },
      { find: /^@tonplug\/core\/(\w+)$/, replacement: `${root}packages/core/src/$1.ts` },
      { find: /^@tonplug\/testing$/, replacement: `${root}packages/testing/src/index.ts` },
    ],
  },
  test: {
    runner: 'scripts/mutants/runner.mjs',
    setupFiles: ['vitest.setup.ts'],
    isolate: false,
    sequence: { sequencer: InOrder },
    maxWorkers: process.env['MUTANT_PLAN'] ? 1 : 2,
    testTimeout: 60_000,
    expect: { poll: { timeout: 5000 } },
    reporters: ['dot'],
    include: files ?? [
      'packages/core/{src,test}/payments/!(invoices)/**/*.test.ts',
      'packages/testing/test/{inbox,order-repository}.test.ts',
    ],
    exclude: ['**/*.long.test.ts', '**/{two-processes,signed-blocks}.test.ts'],
  },
})

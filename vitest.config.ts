import { defineConfig } from 'vitest/config'
import { nestProject } from './packages/nestjs/test/nest-project.js'

const setupFiles = ['vitest.setup.ts']
/** Timeouts for a machine under load; no test waits that long by itself. */
const patience = {
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
}
/** Tests that kill servers. */
const crashes = 'packages/postgres/test/crash/*.test.ts'
/** Tests of many seconds, and tests that start a chain. `pnpm test:slow` runs them. */
const long = [
  'packages/*/{src,test}/**/*.long.test.ts',
  'packages/simulator/test/{chain,v2,v3}/**/*.test.ts',
]
/** Long tests whose files share modules, which saves a third of their time. They mock no module and measure no memory. */
const longShared = [
  'packages/core/test/toncenter/v3/*.long.test.ts',
  'packages/simulator/test/{v2,v3}/**/*.test.ts',
]
/** The code of the quick starts and READMEs. `pnpm check:quick-starts` runs it. */
const pastedCode = 'docs/test/pasted-code.test.ts'
/** Prisma has a workspace of its own below the tests. */
const installed = '**/node_modules/**'
/** For the examples with Nest. */
const oxc = { decorator: { legacy: true, emitDecoratorMetadata: true } }

export default defineConfig({
  test: {
    // By default Vitest reserves one core.
    maxWorkers: '100%',
    globalSetup: ['packages/postgres/test/empty-pglite.ts'],
    projects: [
      {
        test: {
          name: 'packages',
          // Files share modules, which saves half the time; a file that changes its process must undo that.
          isolate: false,
          setupFiles,
          ...patience,
          include: ['packages/*/{src,test}/**/*.test.ts'],
          exclude: [
            'packages/nestjs/test/**',
            'packages/desk/test/nest/**',
            '**/*.browser.test.ts',
            crashes,
            installed,
            ...long,
          ],
        },
      },
      {
        test: {
          name: 'long',
          setupFiles,
          ...patience,
          include: long,
          exclude: [installed, ...longShared],
        },
      },
      {
        test: { name: 'long-shared', isolate: false, setupFiles, ...patience, include: longShared },
      },
      { test: { name: 'crashes', setupFiles, ...patience, include: [crashes] } },
      { test: { name: 'fuzz', setupFiles, ...patience, include: ['fuzz/**/*.test.ts'] } },
      {
        test: {
          name: 'docs',
          ...patience,
          include: ['docs/test/*.test.ts'],
          exclude: [pastedCode],
        },
      },
      { test: { name: 'quick-starts', ...patience, include: [pastedCode] } },
      { test: { name: 'bench', setupFiles, ...patience, include: ['bench/src/**/*.test.mjs'] } },
      ...[10, 11, 12].map((major) => nestProject(major, { setupFiles, ...patience })),
      {
        oxc,
        test: {
          name: 'examples',
          setupFiles,
          ...patience,
          include: ['examples/*/{src,test}/**/*.test.ts'],
          exclude: ['**/*.browser.test.ts'],
        },
      },
      {
        oxc,
        test: {
          name: 'browser',
          include: ['{docs,examples/*,packages/*}/test/browser/**/*.browser.test.ts'],
          env: { CHROMIUM_PATH: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium' },
          ...patience,
        },
      },
    ],
  },
})

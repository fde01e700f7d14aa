import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { nestProject } from './packages/nestjs/test/nest-project.js'

const setupFiles = ['vitest.setup.ts']
/** Timeouts for a machine under load; no test waits that long by itself. */
const patience = {
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { interval: 5, timeout: 300_000 } },
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
  'packages/core/test/{checkout,proof,toncenter/v3}/*.long.test.ts',
  'packages/core/test/payments/watcher/long-looks.long.test.ts',
  'packages/desk/test/tickets.long.test.ts',
  'packages/fastify/test/*.long.test.ts',
  // The books take minutes, and run beside the others.
  'packages/simulator/test/!(books*).long.test.ts',
  'packages/simulator/test/{v2,v3}/**/*.test.ts',
  'packages/testing/test/shop/two-shops.long.test.ts',
]
/** The Nest module is tested with each major in a project of its own. */
const nest = ['packages/nestjs/test/**', 'packages/desk/test/nest/**']
const longNest = 'packages/nestjs/test/suite/**/*.long.test.ts'
/** The code of the quick starts and READMEs. `pnpm check:quick-starts` runs it. */
const pastedCode = 'docs/test/pasted-code.test.ts'
/** Prisma has a workspace of its own below the tests. */
const installed = '**/node_modules/**'
/** For the examples with Nest. */
const oxc = { decorator: { legacy: true, emitDecoratorMetadata: true } }

export default defineConfig({
  test: {
    // Tests wait for timers, databases and processes a quarter of their time.
    maxWorkers: availableParallelism() + 1,
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
          exclude: ['**/*.browser.test.ts', crashes, installed, ...nest, ...long],
        },
      },
      {
        test: {
          name: 'long',
          setupFiles,
          ...patience,
          include: long,
          exclude: [installed, ...nest, ...longShared],
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
      nestProject(10, { setupFiles, ...patience }),
      nestProject(11, { setupFiles, ...patience, exclude: ['**/*.long.test.ts'] }),
      nestProject(11, { setupFiles, ...patience, name: 'long-nest', include: [longNest] }),
      nestProject(12, { setupFiles, ...patience }),
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

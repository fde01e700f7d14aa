import { defineConfig } from 'vitest/config'
import { nestProject } from './packages/nestjs/test/nest-project.js'

const setupFiles = ['vitest.setup.ts']
/** Nothing waits for so long by itself; a machine under load may. */
const patience = { testTimeout: 30_000, hookTimeout: 30_000 }
/** What kills servers takes its time. */
const crashes = 'packages/postgres/test/crash/*.test.ts'
/** Many seconds each, as those that start a chain; on other lines of Node than the pinned one they run when all is asked for. */
const long = ['packages/*/{src,test}/**/*.long.test.ts', 'packages/testing/test/chain/**/*.test.ts']
/** For the examples with Nest. */
const oxc = { decorator: { legacy: true, emitDecoratorMetadata: true } }

export default defineConfig({
  test: {
    // By default one core would be left to what watches the files.
    maxWorkers: '100%',
    globalSetup: ['packages/postgres/test/empty-pglite.ts'],
    projects: [
      {
        test: {
          name: 'packages',
          // Half the time is loading what many files share; a file that changes its process takes that back.
          isolate: false,
          setupFiles,
          ...patience,
          include: ['packages/*/{src,test}/**/*.test.ts'],
          exclude: ['packages/nestjs/test/**', '**/*.browser.test.ts', crashes, ...long],
        },
      },
      { test: { name: 'long', setupFiles, ...patience, include: long } },
      { test: { name: 'crashes', setupFiles, ...patience, include: [crashes] } },
      { test: { name: 'fuzz', setupFiles, ...patience, include: ['fuzz/**/*.test.ts'] } },
      { test: { name: 'bench', setupFiles, ...patience, include: ['bench/src/**/*.test.mjs'] } },
      nestProject(10, setupFiles),
      nestProject(11, setupFiles),
      nestProject(12, setupFiles),
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
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})

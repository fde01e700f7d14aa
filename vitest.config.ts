import { defineConfig } from 'vitest/config'

const setupFiles = ['vitest.setup.ts']

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'packages',
          setupFiles,
          include: ['packages/*/{src,test}/**/*.test.ts'],
        },
      },
      {
        test: {
          name: 'examples',
          setupFiles,
          include: ['examples/*/{src,test}/**/*.test.ts'],
          exclude: ['**/*.browser.test.ts'],
        },
      },
      {
        test: {
          name: 'browser',
          include: ['examples/*/test/browser/**/*.browser.test.ts'],
          env: { CHROMIUM_PATH: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium' },
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})

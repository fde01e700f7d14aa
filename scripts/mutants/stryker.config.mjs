const { MUTANT_FOLDER: folder = 'orders', MUTANT_FILES: files } = process.env

/** Source: https://stryker-mutator.io/docs/stryker-js/configuration/ */
export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'scripts/mutants/vitest.config.ts', related: false },
  mutate: files?.split(',') ?? [`packages/core/src/payments/${folder}/**/*.ts`, '!**/*.test.ts'],
  // Most texts are messages, which tests need not repeat.
  mutator: { excludedMutations: ['StringLiteral'] },
  ignoreStatic: true,
  coverageAnalysis: 'perTest',
  ignorePatterns: ['/docs', '/examples', '/fuzz', '/bench', '**/.git', '**/*.tsbuildinfo'],
  // Stryker would rewrite it, and cannot with TypeScript 7; Vitest does not read it.
  tsconfigFile: 'none',
  tempDirName: 'node_modules/.cache/stryker',
  timeoutMS: 20_000,
  // A run of all these tests with one worker.
  dryRunTimeoutMinutes: 60,
  reporters: ['clear-text', 'json'],
  clearTextReporter: { allowColor: false, reportTests: false },
  jsonReporter: { fileName: `node_modules/.cache/mutants/${folder}.json` },
}

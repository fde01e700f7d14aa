/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: 'node',
  testRegex: '\\.e2e-spec\\.ts$',
  transform: { '\\.ts$': 'ts-jest' },
  setupFiles: ['./test/environment.ts'],
  testTimeout: 60_000,
}

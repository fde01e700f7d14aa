module.exports = {
  // The machine may be busy with other tests.
  testTimeout: 600_000,
  transform: { '\\.ts$': ['ts-jest', { diagnostics: false }] },
  moduleNameMapper: { '^(\\./.*)\\.js$': '$1' },
}

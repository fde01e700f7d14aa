module.exports = {
  // The machine may be busy with other tests.
  testTimeout: 60_000,
  transform: { '\\.ts$': ['ts-jest', { diagnostics: false }] },
  moduleNameMapper: { '^(\\./.*)\\.js$': '$1' },
}

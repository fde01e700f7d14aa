module.exports = {
  transform: { '\\.ts$': ['ts-jest', { diagnostics: false }] },
  moduleNameMapper: { '^(\\./.*)\\.js$': '$1' },
}

// The machine may be busy with other tests.
module.exports = { testTimeout: 600_000 }

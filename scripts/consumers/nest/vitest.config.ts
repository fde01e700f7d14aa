import { defineConfig } from 'vitest/config'

export default defineConfig({
  oxc: { decorator: { legacy: true, emitDecoratorMetadata: true } },
  // The machine may be busy with other tests.
  test: { globals: true, testTimeout: 600_000 },
})

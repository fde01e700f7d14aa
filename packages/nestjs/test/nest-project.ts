import { resolve } from 'node:path'
import type { TestProjectInlineConfiguration } from 'vitest/config'

/** The suite on one major of Nest: whatever its files import of Nest comes from that major's folder. */
export function nestProject(major: number, setupFiles: string[]): TestProjectInlineConfiguration {
  const modules = resolve(import.meta.dirname, `nest-${major}/node_modules`)
  return {
    oxc: { decorator: { legacy: true, emitDecoratorMetadata: true } },
    resolve: {
      alias: [{ find: /^(@nestjs\/[\w-]+|express)$/, replacement: `${modules}/$1` }],
    },
    test: {
      name: `nest-${major}`,
      // As the project `packages` does.
      isolate: false,
      setupFiles,
      testTimeout: 30_000,
      hookTimeout: 30_000,
      include: [
        'packages/nestjs/test/suite/**/*.test.ts',
        `packages/nestjs/test/nest-${major}/*.test.ts`,
      ],
      env: { NEST_MAJOR: String(major) },
    },
  }
}

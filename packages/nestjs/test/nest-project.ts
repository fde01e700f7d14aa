import { resolve } from 'node:path'
import type { TestProjectInlineConfiguration } from 'vitest/config'

/** Returns the test project for one major of Nest: its files import Nest from the folder of that major. */
export function nestProject(
  major: number,
  shared: TestProjectInlineConfiguration['test'],
): TestProjectInlineConfiguration {
  const modules = resolve(import.meta.dirname, `nest-${major}/node_modules`)
  return {
    oxc: { decorator: { legacy: true, emitDecoratorMetadata: true } },
    resolve: {
      alias: [{ find: /^(@nestjs\/[\w-]+|express)$/, replacement: `${modules}/$1` }],
    },
    test: {
      name: `nest-${major}`,
      // The same as in the project `packages`.
      isolate: false,
      include: [
        'packages/nestjs/test/suite/**/*.test.ts',
        `packages/nestjs/test/nest-${major}/*.test.ts`,
        'packages/desk/test/nest/*.test.ts',
      ],
      ...shared,
      env: { NEST_MAJOR: String(major) },
    },
  }
}

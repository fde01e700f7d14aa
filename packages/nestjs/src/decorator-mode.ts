import { ConfigurationError } from '@tonplug/core'

/**
 * Rejects the call of a decorator that was compiled as a standard decorator. Nest needs `experimentalDecorators`, and some
 * compilers do not report that this option is missing.
 * @param second the second argument of a decorator: a key, or the context of a standard decorator.
 * @throws {ConfigurationError} for a context.
 */
export function rejectStandardDecorator(second: unknown): void {
  if (typeof second !== 'object' || second === null) return
  const { kind, name } = second as { kind?: unknown; name?: unknown }
  const problem =
    'its decorator was compiled as a standard decorator, which Nest does not support. Set "experimentalDecorators": true ' +
    'and "emitDecoratorMetadata": true in the compilerOptions of the tsconfig.json that your compiler or bundler reads'
  throw new ConfigurationError({ option: `${String(kind)} ${String(name)}`, problem })
}

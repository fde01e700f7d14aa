/** Invalid arguments: exit code 2. The message states the correct usage. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly code = 'usage'
}

/** A failed command: exit code 1. The message states what to do next. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly code = 'failed'
}

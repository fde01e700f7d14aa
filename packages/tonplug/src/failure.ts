/** The command was called wrongly: exit code 2. The message says how to call it. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly code = 'usage'
}

/** The command could not do its work: exit code 1. The message says what to do next. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly code = 'failed'
}

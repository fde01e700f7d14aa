const LONGEST_MESSAGE = 300
const DEEPEST_CAUSE = 5

/** The loggable facts of an error. */
export interface ErrorFacts {
  name: string
  code?: string
  /** The first line; on further lines drivers put the parameters of a failed query, which may be a whole body. */
  message: string
  /** The frames only. */
  stack?: string
  cause?: ErrorFacts
}

/** Returns the facts of any thrown value, for the log. Never throws. */
export function errorFacts(thrown: unknown, depth = 0): ErrorFacts {
  if (!(thrown instanceof Error)) return { name: typeof thrown, message: describeThrown(thrown) }
  const { name, cause, stack } = thrown
  const facts: ErrorFacts = { name, message: describeThrown(thrown) }
  if ('code' in thrown && typeof thrown.code === 'string') facts.code = thrown.code
  const frames = stack?.split('\n').filter((line) => /^\s+at /.test(line))
  if (frames !== undefined && frames.length > 0) facts.stack = frames.join('\n')
  if (cause !== undefined && depth < DEEPEST_CAUSE) facts.cause = errorFacts(cause, depth + 1)
  return facts
}

/** Returns the first line of the message of any thrown value. Never throws. */
export function describeThrown(thrown: unknown): string {
  const text = thrown instanceof Error ? thrown.message : safeText(thrown)
  return (text.split('\n', 1)[0] ?? '').slice(0, LONGEST_MESSAGE)
}

function safeText(value: unknown): string {
  try {
    return String(value)
  } catch {
    return `a value of type ${typeof value} that cannot be written as text`
  }
}

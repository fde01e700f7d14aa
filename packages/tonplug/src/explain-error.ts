/** Returns the messages of an error and its causes. Other fields may contain addresses of drivers. */
export function explainError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const text = messageOf(error)
  return error.cause === undefined ? text : `${text}\n  cause: ${explainError(error.cause)}`
}

/** Some errors have an empty message, for example an AggregateError of a host with several addresses. */
function messageOf(error: Error): string {
  if (error.message !== '') return error.message
  if (error instanceof AggregateError) return error.errors.map(explainError).join('; ')
  return error.name
}

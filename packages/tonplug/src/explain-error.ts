/** The message of an error and of its causes. Nothing else of it is printed: drivers keep addresses in other fields. */
export function explainError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const text = messageOf(error)
  return error.cause === undefined ? text : `${text}\n  cause: ${explainError(error.cause)}`
}

/** Some errors have none: that of a host with several addresses has one for each of them. */
function messageOf(error: Error): string {
  if (error.message !== '') return error.message
  if (error instanceof AggregateError) return error.errors.map(explainError).join('; ')
  return error.name
}

/** Returns the code of an error of Node, a driver or PostgreSQL; `undefined` for a value without one. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}

const SQL_STATE = /^[\dA-Z]{5}$/

/** Returns the code that PostgreSQL gave to an error or one of its causes. */
export function sqlState(error: unknown): string | undefined {
  return findCode(error, SQL_STATE)
}

/** Codes of Node; rejected roles and passwords (28), and missing databases (3D). */
const CANNOT_OPEN = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|28\w{3}|3D000)$/

/** Describes the error of a driver, for a message that has it as its cause. */
export function describeFailure(cause: unknown): string {
  const code = findCode(cause, CANNOT_OPEN)
  if (code === undefined) return 'the database failed; see cause'
  return `the database cannot be opened (${code}); check its connection string, for example DATABASE_URL, and see cause`
}

/** Returns the first such code of an error and its causes: libraries wrap the errors of their driver. */
function findCode(error: unknown, pattern: RegExp): string | undefined {
  if (!(error instanceof Error)) return undefined
  const code = errorCode(error) ?? ''
  return pattern.test(code) ? code : findCode(error.cause, pattern)
}

/**
 * Returns true when the error of a driver, or one of its causes, names a constraint. The message names it with every driver and
 * in every language of the server; only some drivers name it in a property.
 */
export function namesConstraint(error: unknown, constraint: string): boolean {
  if (!(error instanceof Error)) return false
  return error.message.includes(constraint) || namesConstraint(error.cause, constraint)
}

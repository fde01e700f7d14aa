/** Returns the code of an error of Node, a driver or PostgreSQL; `undefined` for a value without one. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}

const SQL_STATE = /^[\dA-Z]{5}$/

/** Returns the code that PostgreSQL gave to an error or one of its causes: libraries wrap the errors of their driver. */
export function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const code = errorCode(error) ?? ''
  return SQL_STATE.test(code) ? code : sqlState(error.cause)
}

/**
 * Returns true when the error of a driver, or one of its causes, names a constraint. The message names it with every driver and
 * in every language of the server; only some drivers name it in a property.
 */
export function namesConstraint(error: unknown, constraint: string): boolean {
  if (!(error instanceof Error)) return false
  return error.message.includes(constraint) || namesConstraint(error.cause, constraint)
}

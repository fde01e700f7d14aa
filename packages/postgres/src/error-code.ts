/** Returns the code of an error of Node, a driver or PostgreSQL; `undefined` for a value without one. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}

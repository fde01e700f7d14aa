import { badRequest } from './mock-gateway-error.js'

/** Parses a JSON object. @throws {MockGatewayError} when the string is not a JSON object. */
export function readObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  } catch {
    // Handled like any value other than an object.
  }
  throw badRequest('the body is not a JSON object')
}

/** Returns an optional string field. @throws {MockGatewayError} when it is neither a string nor null. */
export function readText(fields: Record<string, unknown>, name: string): string | undefined {
  const value = fields[name]
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string') return value
  throw badRequest(`${name} must be a string`)
}

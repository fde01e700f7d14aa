import { badRequest } from './stand-in-error.js'

/** The fields of a JSON object. @throws {GatewayStandInError} when the text is none. */
export function readObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  } catch {
    // As for what is no object.
  }
  throw badRequest('the body is not a JSON object')
}

/** A field that may be left out, or null. @throws {GatewayStandInError} when it is no text. */
export function readText(fields: Record<string, unknown>, name: string): string | undefined {
  const value = fields[name]
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string') return value
  throw badRequest(`${name} is not a text`)
}

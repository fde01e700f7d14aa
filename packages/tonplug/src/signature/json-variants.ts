import { isDeep } from '../is-deep.js'

/** Escapes that JSON libraries other than that of JavaScript write: for non-ASCII characters, slashes and HTML. */
const ESCAPES: readonly ((json: string) => string)[] = [
  (json) => json,
  (json) => json.replaceAll(/[\u0080-\uFFFF]/g, toEscape),
  (json) => json.replaceAll('/', String.raw`\/`),
  (json) => json.replaceAll('/', String.raw`\/`).replaceAll(/[\u0080-\uFFFF]/g, toEscape),
  (json) => json.replaceAll(/[<>&\u2028\u2029]/g, toEscape),
]

/** Returns the JSON of an object or list in the formats of common libraries; nothing for other bodies. */
export function jsonVariants(text: string): string[] {
  const value = isDeep(text) ? undefined : parse(text)
  if (typeof value !== 'object' || value === null) return []
  const layouts = [JSON.stringify(value), JSON.stringify(value, null, 2)]
  return layouts.flatMap((json) => ESCAPES.map((escape) => escape(json)))
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function toEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

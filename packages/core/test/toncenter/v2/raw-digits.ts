const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** Parses JSON with every number as a string of its digits. */
export function parseDigits(text: string): unknown {
  return JSON.parse(text.replace(TOKENS, (token) => (token.startsWith('"') ? token : `"${token}"`)))
}

/** One value of a decoded answer, with its place. */
export interface Leaf {
  path: string
  value: unknown
}

/** Everything in a value that is neither object nor list. */
export function leavesOf(value: unknown, path = ''): Leaf[] {
  if (typeof value !== 'object' || value === null) return [{ path, value }]
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, `${path}/${key}`))
}

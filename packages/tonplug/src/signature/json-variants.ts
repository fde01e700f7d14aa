import { isDeep } from '../is-deep.js'

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g

/**
 * Returns the JSON as common libraries write it, with different spaces, escapes, numbers and order of keys. The
 * unchanged string may be among them.
 */
export function jsonVariants(text: string): Set<string> {
  const variants = new Set<string>()
  for (const base of bases(text)) {
    const tokens = base.match(TOKEN) ?? []
    for (const write of STRINGS) {
      const written = tokens.map((token) => (token.startsWith('"') ? write(token) : token))
      for (const layout of LAYOUTS) {
        const json = layout(written)
        variants.add(json).add(`${json}\n`)
      }
    }
  }
  return variants
}

/**
 * Returns the unchanged JSON, as JavaScript serializes it, and with sorted keys; nothing unless it is an object or
 * array.
 */
function bases(text: string): string[] {
  const value = isDeep(text) ? undefined : parse(text)
  if (typeof value !== 'object' || value === null) return []
  return [text, JSON.stringify(value), JSON.stringify(sortKeys(value))]
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1))
  return Object.fromEntries(entries.map(([key, item]) => [key, sortKeys(item)]))
}

const plain = (token: string): string => JSON.stringify(JSON.parse(token))
const escapeSlashes = (token: string): string => token.replaceAll('/', '\\/')
const escapeUnicode = (token: string): string => token.replaceAll(/[\u0080-\uFFFF]/g, toEscape)
const escapeHtml = (token: string): string => token.replaceAll(/[<>&\u2028\u2029]/g, toEscape)

function toEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Writes strings unchanged, then as JavaScript, Python, PHP and Go do. */
const STRINGS: ((token: string) => string)[] = [
  (token) => token,
  plain,
  (token) => escapeUnicode(plain(token)),
  (token) => escapeSlashes(plain(token)),
  (token) => escapeSlashes(escapeUnicode(plain(token))),
  (token) => escapeHtml(plain(token)),
]

/** Layouts without spaces, like Python, and with indentation of 2, 4 and tabs. */
const LAYOUTS: ((tokens: string[]) => string)[] = [
  (tokens) => tokens.join(''),
  (tokens) =>
    tokens.map((token) => (token === ',' || token === ':' ? `${token} ` : token)).join(''),
  (tokens) => indented(tokens, '  '),
  (tokens) => indented(tokens, '    '),
  (tokens) => indented(tokens, '\t'),
]

function indented(tokens: string[], unit: string): string {
  let depth = 0
  let written = ''
  const line = () => `\n${unit.repeat(depth)}`
  for (const [index, token] of tokens.entries()) {
    const isOpening = token === '{' || token === '['
    const isClosing = token === '}' || token === ']'
    const isEmpty = isClosing && /[{[]/.test(tokens[index - 1] ?? '')
    if (isClosing) depth--
    if (isClosing && !isEmpty) written += line()
    written += token
    if (isOpening) depth++
    if (token === ',' || (isOpening && !/[}\]]/.test(tokens[index + 1] ?? ''))) written += line()
    if (token === ':') written += ' '
  }
  return written
}

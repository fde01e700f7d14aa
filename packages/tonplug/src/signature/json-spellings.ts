const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g
// A webhook has two levels. Deep nesting would make indented spellings grow with its square.
const MAX_DEPTH = 32

/**
 * The ways in which common libraries write this JSON: spaces, escapes, numbers and the order of keys differ. The text
 * as it is may be among them.
 */
export function jsonSpellings(text: string): Set<string> {
  const spellings = new Set<string>()
  for (const base of bases(text)) {
    const tokens = base.match(TOKEN) ?? []
    for (const spell of STRINGS) {
      const spelt = tokens.map((token) => (token.startsWith('"') ? spell(token) : token))
      for (const layout of LAYOUTS) {
        const written = layout(spelt)
        spellings.add(written).add(`${written}\n`)
      }
    }
  }
  return spellings
}

/** The JSON itself, as JavaScript writes it again, and with its keys in order. None where it is no object or list. */
function bases(text: string): string[] {
  const value = parse(text)
  if (typeof value !== 'object' || value === null || depthOf(text) > MAX_DEPTH) return []
  return [text, JSON.stringify(value), JSON.stringify(sortKeys(value))]
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  for (const token of text.match(TOKEN) ?? []) {
    if (token === '{' || token === '[') deepest = Math.max(deepest, ++depth)
    else if (token === '}' || token === ']') depth--
  }
  return deepest
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

/** As it is, then as JavaScript, Python, PHP and Go write it. */
const STRINGS: ((token: string) => string)[] = [
  (token) => token,
  plain,
  (token) => escapeUnicode(plain(token)),
  (token) => escapeSlashes(plain(token)),
  (token) => escapeSlashes(escapeUnicode(plain(token))),
  (token) => escapeHtml(plain(token)),
]

/** Without spaces, as Python, and indented by 2, 4 and tabs. */
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

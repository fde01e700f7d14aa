/**
 * Maximum levels of JSON from another party. A trace of 4000 transactions has 8000. Texts with fewer brackets need no scan:
 * a page of 1000 transactions has 29,000.
 */
export const MAX_JSON_DEPTH = 32_768

/**
 * Parses JSON from another party like `JSON.parse`. A few kilobytes of compressed JSON can have millions of levels, whose
 * values take gigabytes of memory, so the levels are counted first.
 * @throws {SyntaxError} for invalid JSON, and for more than 32,768 levels.
 */
export function parseShallowJson(text: string): unknown {
  checkDepth(text)
  return JSON.parse(text)
}

/** @throws {SyntaxError} when the JSON has more than 32,768 levels. */
export function checkDepth(text: string): void {
  if (isTooDeep(text)) {
    throw new SyntaxError(`JSON must have at most ${MAX_JSON_DEPTH} levels; received more`)
  }
}

/**
 * Returns true when the JSON has more levels than `maxDepth`. Reads each character at most once; most texts need only a
 * count of their brackets, which is many times as fast.
 */
export function isTooDeep(text: string, maxDepth = MAX_JSON_DEPTH): boolean {
  return (
    text.length > maxDepth && hasMoreBrackets(text, maxDepth) && isScannedDeeper(text, maxDepth)
  )
}

function hasMoreBrackets(text: string, max: number): boolean {
  let count = 0
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) {
      if (++count > max) return true
    }
  }
  return false
}

function isScannedDeeper(text: string, maxDepth: number): boolean {
  let depth = 0
  for (let from = 0, to = 0; from < text.length; from = endOfString(text, to)) {
    to = indexOfQuote(text, from)
    for (let index = from; index < to; index++) {
      const code = text.charCodeAt(index)
      if (isOpening(code) && ++depth > maxDepth) return true
      if (isClosing(code)) depth--
    }
  }
  return false
}

/** `[` or `{`. */
function isOpening(code: number): boolean {
  return code === 91 || code === 123
}

/** `]` or `}`. */
function isClosing(code: number): boolean {
  return code === 93 || code === 125
}

/** @returns the index of the next quote; the length of `text` without one */
export function indexOfQuote(text: string, from: number): number {
  const index = text.indexOf('"', from)
  return index === -1 ? text.length : index
}

/** Returns the index after the string that begins at `open`. */
export function endOfString(text: string, open: number): number {
  for (let quote = open; ;) {
    quote = indexOfQuote(text, quote + 1)
    if (quote === text.length) return quote
    let backslashes = 0
    while (text[quote - 1 - backslashes] === '\\') backslashes++
    if (backslashes % 2 === 0) return quote + 1
  }
}

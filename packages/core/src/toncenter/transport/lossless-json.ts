import { checkDepth, endOfString, indexOfQuote } from '../../shared/shallow-json.js'

/** The least number of digits of an integer beyond 2^53, which a `number` cannot represent. */
const LONG_INTEGER_DIGITS = 16

const HALF = LONG_INTEGER_DIGITS / 2

/**
 * Parses JSON without loss of digits: an integer of 16 or more digits becomes a string of its digits with its sign. Strings,
 * fractions, exponents and all other values are parsed as by `JSON.parse`.
 * @throws {SyntaxError} when the string is not JSON, or has more than 32,768 levels.
 */
export function parseJson(text: string): unknown {
  checkDepth(text)
  return JSON.parse(quoteLongIntegers(text))
}

/** Parses JSON like {@link parseJson}; returns `undefined` when the string is not JSON. */
export function tryParseJson(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

/** Writes JSON; `undefined` remains. A bigint becomes a string of its digits, which servers accept. */
export function writeJson(value: unknown): string | undefined {
  return JSON.stringify(value, (_key, one: unknown) =>
    typeof one === 'bigint' ? one.toString() : one,
  )
}

function quoteLongIntegers(text: string): string {
  let isOutsideStrings: ((position: number) => boolean) | undefined
  let quoted = ''
  let copied = 0
  for (let run = nextRun(text, 0); run !== undefined; run = nextRun(text, run.end)) {
    const start = startOfInteger(text, run)
    if (start === undefined || !endsAsInteger(text, run.end)) continue
    isOutsideStrings ??= createStringMap(text)
    if (!isOutsideStrings(start)) continue
    quoted += `${text.slice(copied, start)}"${text.slice(start, run.end)}"`
    copied = run.end
  }
  return copied === 0 ? text : quoted + text.slice(copied)
}

/** A run of digits, the end exclusive. */
interface DigitRun {
  start: number
  end: number
}

/**
 * Returns the next run of 16 or more digits. Such a run contains a position divisible by 16, so only every 16th character
 * must be read; a regular expression takes five times as long.
 */
function nextRun(text: string, from: number): DigitRun | undefined {
  const { length } = text
  for (let index = from + LONG_INTEGER_DIGITS - 1; index < length; index += LONG_INTEGER_DIGITS) {
    if (!isDigit(text, index)) continue
    // It also contains the position half a run before or after.
    if (!isDigit(text, index - HALF) && !(index + HALF < length && isDigit(text, index + HALF)))
      continue
    let start = index
    while (start > from && isDigit(text, start - 1)) start--
    let end = index + 1
    while (end < length && isDigit(text, end)) end++
    if (end - start >= LONG_INTEGER_DIGITS) return { start, end }
    index = end
  }
  return undefined
}

/** Call only with indexes within the string: after one outside, engines take three times as long for every call. */
function isDigit(text: string, index: number): boolean {
  const code = text.charCodeAt(index)
  return code >= 48 && code <= 57
}

const MAY_PRECEDE_VALUE = ' \t\n\r:,['

/** Returns the start of the integer with its sign; `undefined` inside a string or a fraction. */
function startOfInteger(text: string, run: DigitRun): number | undefined {
  // JSON has no leading zeros; quoted, they would be accepted.
  if (text[run.start] === '0') return undefined
  const start = text[run.start - 1] === '-' ? run.start - 1 : run.start
  return start === 0 || MAY_PRECEDE_VALUE.includes(text.charAt(start - 1)) ? start : undefined
}

const CONTINUES_NUMBER_OR_KEY = /[.eE]|[ \t\n\r]*:/y

/** Returns false before a fraction, an exponent, or the colon of a key: JSON has no such keys; quoted, they would be accepted. */
function endsAsInteger(text: string, end: number): boolean {
  CONTINUES_NUMBER_OR_KEY.lastIndex = end
  return !CONTINUES_NUMBER_OR_KEY.test(text)
}

/** Returns a function that checks increasing positions for being outside of strings. It scans the input once. */
function createStringMap(text: string): (position: number) => boolean {
  let outside = 0
  let open = indexOfQuote(text, 0)
  return (position) => {
    while (open < position) {
      outside = endOfString(text, open)
      open = indexOfQuote(text, outside)
    }
    return outside <= position
  }
}

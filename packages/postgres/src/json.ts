// JSON.stringify escapes the characters that PostgreSQL cannot store: NUL and lone surrogates.
const UNSTORABLE_ESCAPE = /\\u(?:0000|d[89a-f])/
const UNSTORABLE = /[\0\p{Surrogate}]/gu

/** Returns JSON for `jsonb`, with U+FFFD for characters that it cannot store. */
export function toJson(value: unknown): string {
  const json = JSON.stringify(value)
  if (!UNSTORABLE_ESCAPE.test(json)) return json
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'string' ? storableText(item) : item,
  )
}

/** Returns the parameter of an optional list. */
export function optionalJson(list: readonly unknown[] | undefined): string | null {
  return list === undefined ? null : toJson(list)
}

/** Returns a string with U+FFFD for characters that PostgreSQL cannot store. */
export function storableText(text: string): string {
  return text.replace(UNSTORABLE, '\uFFFD')
}

/** Returns true for a string that PostgreSQL stores unchanged. No row can have any other string. */
export function isStorable(text: string): boolean {
  return storableText(text) === text
}

// How JSON.stringify writes what `jsonb` cannot store: NUL, and half of a surrogate pair.
const UNSTORABLE = /\\u(?:0000|d[89a-f])/

/** JSON that `jsonb` takes, with U+FFFD for what it cannot store. */
export function toJson(value: unknown): string {
  const json = JSON.stringify(value)
  if (!UNSTORABLE.test(json)) return json
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'string' ? storableText(item) : item,
  )
}

/** Text that PostgreSQL can store, with U+FFFD for what it cannot. */
export function storableText(text: string): string {
  return Buffer.from(text).toString().replaceAll('\u0000', '\uFFFD')
}

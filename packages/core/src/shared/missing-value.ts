/** A missing value, or one of another type, that became a string, for example `String(process.env.SECRET)`. */
const VALUE = /^(?:undefined|null|nan|-?infinity|true|false|none|nil|(?:,?\[object \w+\])+)$/i
/** `${NAME}`, `$NAME`, `%NAME%`, `<name>`, or a value in quotes. */
const PLACEHOLDER = /^(?:\$\{.*\}|\$[A-Z_][A-Z0-9_]*|%\w+%|<.*>|(["'`]).*\1)$/s

/** Describes the most frequent mistakes of `describeSettingMistake`. It is apart for the size of clients in browsers. */
export function describeMissingValue(text: string): string | undefined {
  if (VALUE.test(text)) return `must be set; received ${JSON.stringify(text)} as a string`
  return PLACEHOLDER.test(text) ? 'must be the value itself, without quotes' : undefined
}

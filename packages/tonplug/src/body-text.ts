import { isDeep } from './is-deep.js'
import { onOneLine } from './table.js'

/** Formats a body. JSON of up to 32 levels is indented, which escapes control characters. `--json` prints the original. */
export function bodyText(rawBody: string): string {
  try {
    if (!isDeep(rawBody)) return JSON.stringify(JSON.parse(rawBody), null, 2)
  } catch {
    // Printed like any other text.
  }
  return onOneLine(rawBody)
}

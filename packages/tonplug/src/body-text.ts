import { onOneLine } from './table.js'

/** Formats a body. JSON is indented, which escapes control characters. `--json` prints the original. */
export function bodyText(rawBody: string): string {
  try {
    return JSON.stringify(JSON.parse(rawBody), null, 2)
  } catch {
    return onOneLine(rawBody)
  }
}

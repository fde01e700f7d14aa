import { onOneLine } from './table.js'

/** Indented where it is JSON; control characters are escaped in it by then. `--json` has the body as it came. */
export function bodyText(rawBody: string): string {
  try {
    return JSON.stringify(JSON.parse(rawBody), null, 2)
  } catch {
    return onOneLine(rawBody)
  }
}

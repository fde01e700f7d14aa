const ESCAPE = '\u001B'
/** Control, format and separator characters, except line ends, tabs, and the colors of a terminal. */
const HIDDEN = new RegExp(
  `(?![\\n\\t${ESCAPE}])[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]|${ESCAPE}(?!\\[[\\d;]*m)`,
  'gu',
)

/**
 * Escapes characters as in JSON that change the order of a line, or that a terminal obeys or does not show. Strings of
 * JSON keep their values.
 */
export function escapeHidden(text: string): string {
  return text.replaceAll(HIDDEN, (character) =>
    character.replaceAll(
      /[^]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  )
}

/** Prints a line. */
export function printLine(text: string, stream: NodeJS.WritableStream = process.stdout): void {
  stream.write(`${escapeHidden(text)}\n`)
}

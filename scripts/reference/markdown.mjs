// What all reference pages are made of.

/** Stands at the top of every page. */
export const NOTICE =
  '<!-- Made by scripts/generate-reference.mjs from the definitions of the endpoints. -->'

/** The guide, from a page. */
export const GUIDE = '../../guide/data-apis.md'

/** A table; a `|` in a cell is escaped. */
export function table(head, rows) {
  const line = (cells) => `| ${cells.map(escapeCell).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

function escapeCell(text) {
  return text.replaceAll(/(?<!\\)\|/g, '\\|')
}

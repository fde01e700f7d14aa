import Table from 'cli-table3'
import { escapeHidden } from './escape-hidden.js'

const NO_FRAME = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
}

/** Prints columns below a line of headings, without frames or colors, so that other programs can parse them. */
export function table(head: string[], rows: string[][]): string {
  const style = { head: [], border: [], 'padding-left': 0, 'padding-right': 0 }
  const drawn = new Table({ head, style, chars: NO_FRAME })
  drawn.push(...rows.map((row) => row.map(onOneLine)))
  return drawn
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
}

/**
 * Replaces line breaks and control characters, which could overwrite the terminal, in a string of a delivery or a
 * handler's error. Escapes characters that change the order of the line.
 */
export function onOneLine(text: string): string {
  return escapeHidden(text.replaceAll(/\s+/g, ' ').replaceAll(/\p{Cc}/gu, '\uFFFD'))
}

/** Prints a number with its noun: `1 report`, `2 reports`. */
export function countOf(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`
}

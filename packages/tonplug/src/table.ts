import Table from 'cli-table3'

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

/** Columns under a line of headings, without frames or colours, so that other programs can cut them. */
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
 * Text from a delivery or a handler's error as it is safe in a terminal: without line breaks, and with control
 * characters, which could rewrite what stands above, replaced.
 */
export function onOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/\p{Cc}/gu, '\uFFFD')
}

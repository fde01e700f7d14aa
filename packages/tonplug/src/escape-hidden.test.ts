import { styleText } from 'node:util'
import { describe, expect, it } from 'vitest'
import { escapeHidden } from './escape-hidden.js'
import { onOneLine, table } from './table.js'

const HIDDEN: [title: string, character: string, escaped: string][] = [
  ['right-to-left override', '\u202E', String.raw`\u202e`],
  ['left-to-right embedding', '\u202A', String.raw`\u202a`],
  ['right-to-left isolate', '\u2067', String.raw`\u2067`],
  ['pop directional isolate', '\u2069', String.raw`\u2069`],
  ['right-to-left mark', '\u200F', String.raw`\u200f`],
  ['Arabic letter mark', '\u061C', String.raw`\u061c`],
  ['zero-width space', '\u200B', String.raw`\u200b`],
  ['zero-width joiner', '\u200D', String.raw`\u200d`],
  ['word joiner', '\u2060', String.raw`\u2060`],
  ['byte order mark', '\uFEFF', String.raw`\ufeff`],
  ['interlinear annotation', '\uFFF9', String.raw`\ufff9`],
  ['tag character', '\u{E0041}', String.raw`\udb40\udc41`],
  ['line separator', '\u2028', String.raw`\u2028`],
  ['paragraph separator', '\u2029', String.raw`\u2029`],
  ['control sequence introducer of C1', '\u009B', String.raw`\u009b`],
  ['operating system command of C1', '\u009D', String.raw`\u009d`],
  ['next line of C1', '\u0085', String.raw`\u0085`],
  ['delete', '\u007F', String.raw`\u007f`],
  ['carriage return', '\r', String.raw`\u000d`],
  ['bell', '\u0007', String.raw`\u0007`],
  ['title of a window', '\u001B]0;x\u0007', String.raw`\u001b]0;x\u0007`],
  ['erased line', '\u001B[2K', String.raw`\u001b[2K`],
]

describe('escapeHidden', () => {
  it.each(HIDDEN)('escapes: %s', (_, text, escaped) => {
    expect(escapeHidden(`a${text}b`)).toBe(`a${escaped}b`)
  })

  it.each(HIDDEN)('keeps the value of a JSON string: %s', (_, text) => {
    const value = { [`key ${text}`]: [`a${text}b`] }
    expect(JSON.parse(escapeHidden(JSON.stringify(value, null, 2)))).toEqual(value)
  })

  it('keeps line ends, tabs, colors, letters of all scripts and emoji', () => {
    const text = `a\n\tb ${styleText('red', 'c', { validateStream: false })} äöü שלום 你好 🙂`
    expect(escapeHidden(text)).toBe(text)
  })
})

describe('onOneLine', () => {
  it('escapes characters that change the order of the line', () => {
    expect(onOneLine('order-1\u202E2-redro')).toBe(String.raw`order-1\u202e2-redro`)
    expect(onOneLine('a\u2028b\u0085c\u009Bd')).toBe('a b\uFFFDc\uFFFDd')
  })

  it('keeps the columns of a table in line', () => {
    const lines = table(
      ['NAME', 'SUM'],
      [
        ['a\u202Eb', '1'],
        ['order-1-of-many', '2'],
      ],
    ).split('\n')
    expect(new Set(lines.map((line) => line.search(/SUM|[12]$/))).size).toBe(1)
  })
})

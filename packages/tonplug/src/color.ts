import { styleText } from 'node:util'

type Style = 'green' | 'yellow' | 'red' | 'bold' | 'dim'

/** Returns a function that colors text for a stream: only on a terminal, and not with NO_COLOR. */
export function colorOf(stream: NodeJS.WriteStream): (style: Style, text: string) => string {
  const hasColors = stream.isTTY && stream.hasColors() && !process.env['NO_COLOR']
  // `styleText` would look at the stream by itself in newer versions of Node alone.
  return (style, text) => (hasColors ? styleText(style, text, { validateStream: false }) : text)
}

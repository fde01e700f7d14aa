const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g

/** Formats JSON on several lines and keeps its tokens, including numbers; returns any other string unchanged. */
export function indentJson(text: string): string {
  try {
    JSON.parse(text)
  } catch {
    return text
  }
  let depth = 0
  let indented = ''
  const lineBreak = (): string => `\n${'  '.repeat(depth)}`
  for (const token of text.match(TOKENS) ?? []) {
    if (token === '}' || token === ']') {
      depth -= 1
      indented = /[{[]\s*$/.test(indented) ? indented.trimEnd() : indented + lineBreak()
    }
    indented += token
    if (token === '{' || token === '[') {
      depth += 1
      indented += lineBreak()
    }
    if (token === ',') indented += lineBreak()
    if (token === ':') indented += ' '
  }
  return indented
}

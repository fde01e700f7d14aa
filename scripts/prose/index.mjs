// Lets textlint read comments and string literals of TypeScript and JavaScript.
import { parseSync, Visitor } from 'oxc-parser'

const SENTENCE = /[a-z]+ [a-z]+ [a-z]+/i

class CodeProcessor {
  availableExtensions() {
    return ['.ts', '.tsx', '.mts', '.js', '.mjs', '.cjs']
  }

  processor() {
    return {
      preProcess: documentOf,
      postProcess: (messages, filePath) => ({ messages, filePath }),
    }
  }
}

export default { Processor: CodeProcessor }

function documentOf(source, filePath) {
  const { program, comments, errors } = parseSync(filePath, source)
  if (errors.length > 0) throw new Error(`${filePath}: ${errors[0].message}`)
  const prose = [...comments]
  const add = (node) => void prose.push(node)
  new Visitor({ Literal: add, TemplateElement: add }).visit(program)
  const text = withoutMarks(source)
  const nodeOf = nodeFactory(text)
  const children = prose
    .filter(({ start, end }) => SENTENCE.test(text.slice(start, end)))
    .toSorted((one, other) => one.start - other.start)
    .map((node) => nodeOf('Paragraph', node, [nodeOf('Str', node)]))
  return { text, ast: nodeOf('Document', { start: 0, end: text.length }, children) }
}

/** Blanks the marks of comments at the start of lines, since sentences continue on the next line. */
function withoutMarks(source) {
  return source.replaceAll(/(?<=\n\s*)(\*(?!\/)|\/\/)/g, (mark) => ' '.repeat(mark.length))
}

function nodeFactory(text) {
  const lineStarts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)]
  const positionOf = (offset) => {
    const line = lineStarts.findLastIndex((start) => start <= offset)
    return { line: line + 1, column: offset - lineStarts[line] }
  }
  return (type, { start, end }, children) => {
    const raw = text.slice(start, end)
    const loc = { start: positionOf(start), end: positionOf(end) }
    return { type, raw, range: [start, end], loc, ...(children ? { children } : { value: raw }) }
  }
}

// Lets textlint read comments, string literals and titles of tests of TypeScript and JavaScript. A title begins with `(`.
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
  const texts = [...comments]
  const titles = []
  const add = (node) => void texts.push(node)
  const addTitle = ({ callee, arguments: [title] }) => {
    if (/^(it|test)$/.test(nameOf(callee)) && title?.type.endsWith('Literal')) {
      titles.push({ start: source.lastIndexOf('(', title.start), end: title.end })
    }
  }
  new Visitor({ Literal: add, TemplateElement: add, CallExpression: addTitle }).visit(program)
  const text = withoutMarks(source)
  const nodeOf = nodeFactory(text)
  const isTitle = ({ start }) => titles.some((title) => title.start < start && start < title.end)
  const sentences = texts.filter(
    (node) => SENTENCE.test(text.slice(node.start, node.end)) && !isTitle(node),
  )
  const children = [...titles, ...sentences]
    .toSorted((one, other) => one.start - other.start)
    .map((node) => nodeOf('Paragraph', node, [nodeOf('Str', node)]))
  return { text, ast: nodeOf('Document', { start: 0, end: text.length }, children) }
}

/** Returns the name of the function that a chain such as `it.each(rows)` begins with. */
function nameOf(callee) {
  if (callee.type === 'MemberExpression') return nameOf(callee.object)
  return callee.type === 'CallExpression' ? nameOf(callee.callee) : callee.name
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

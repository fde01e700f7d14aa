// Finds the tests whose titles carry the number of a scenario, such as `S38 pays once`.
import { readFileSync } from 'node:fs'
import { parseSync, Visitor } from 'oxc-parser'

const RUNNERS = ['it', 'test', 'describe']
const INACTIVE = ['skip', 'todo']
const NUMBER = /\bS(\d+)\b/g

/**
 * The titles of one file, in its order: of tests and of groups of tests, and the rows of tables of tests that begin
 * with a number. Tests that are skipped do not count.
 * @returns `[{ title, line, numbers }]`
 */
export function readTitles(file) {
  const source = readFileSync(file, 'utf8')
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`)
  const titles = new Map()
  const inactive = []
  const add = (node, title) => {
    const numbers = [...title.matchAll(NUMBER)].map(([, number]) => Number(number))
    if (numbers.length > 0 && !titles.has(node.start)) titles.set(node.start, { title, numbers })
  }
  new Visitor({
    CallExpression(node) {
      const names = namesOf(node.callee)
      if (!RUNNERS.some((name) => names.includes(name))) return
      if (INACTIVE.some((name) => names.includes(name))) inactive.push(node)
      const [title] = node.arguments
      if (title !== undefined) add(title, textOf(title) ?? '')
    },
    ArrayExpression(node) {
      const [first] = node.elements
      const text = first && textOf(first)
      if (text !== undefined && isRow(text)) add(first, node.elements.map(textOf).join(' ').trim())
    },
    Property({ key }) {
      const text = textOf(key)
      if (text !== undefined && isRow(text)) add(key, text)
    },
  }).visit(program)
  return [...titles]
    .filter(([start]) => !inactive.some((call) => call.start <= start && start < call.end))
    .toSorted(([one], [other]) => one - other)
    .map(([start, { title, numbers }]) => ({ title, line: lineAt(source, start), numbers }))
}

function isRow(text) {
  return /^S\d+\b/.test(text)
}

/** The names in `it.each(rows)`, in `runner.it` and their like. */
function namesOf(callee) {
  if (callee.type === 'Identifier') return [callee.name]
  if (callee.type === 'CallExpression') return namesOf(callee.callee)
  if (callee.type === 'MemberExpression') return [...namesOf(callee.object), callee.property.name]
  return []
}

function textOf(node) {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node?.type === 'TemplateLiteral')
    return node.quasis.map(({ value }) => value.cooked).join('…')
  return undefined
}

function lineAt(source, offset) {
  return source.slice(0, offset).split('\n').length
}

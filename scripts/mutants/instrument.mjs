// Writes all changes of a source into the source itself, each behind `$mutant(number)`, so that one process can try them all.
import { parseSync } from 'oxc-parser'

/** @typedef {{ type: string, start: number, end: number, [field: string]: any }} Node */
/** @typedef {{ line: number, from: string, to: string }} Mutant */

const COMPARED = {
  '===': ['!=='],
  '!==': ['==='],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
}
const LOGICAL = { '&&': ['||'], '||': ['&&'], '??': ['&&'] }
const ARITHMETIC = { '+': ['-'], '-': ['+'], '*': ['/'], '/': ['*'], '%': ['*'] }
const ASSIGNED = { '+=': ['-='], '-=': ['+='], '??=': ['&&='], '||=': ['&&='], '&&=': ['||='] }
const METHODS = {
  every: 'some',
  some: 'every',
  min: 'max',
  max: 'min',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
}
/** Calls that leave their subject as it is. */
const REMOVED = [
  'filter',
  'sort',
  'slice',
  'reverse',
  'trim',
  'toLowerCase',
  'toUpperCase',
  'toSorted',
  'toReversed',
]
const TYPES = [
  'typeAnnotation',
  'typeParameters',
  'typeArguments',
  'returnType',
  'superTypeArguments',
  'implements',
]

/** @param {string} file @param {string} source @param {number} first */
export function instrument(file, source, first) {
  /** @type {Mutant[]} */
  const mutants = []
  /** @param {Node} node @param {string} to */
  const add = (node, to) => {
    const line = source.slice(0, node.start).split('\n').length
    return first + mutants.push({ line, from: source.slice(node.start, node.end), to }) - 1
  }
  /** @param {Node} node */
  const text = (node) => source.slice(node.start, node.end)

  /** @param {Node} node @param {Node} [parent] @param {string} [key] @param {boolean} [chained] */
  function render(node, parent, key, chained = false) {
    let result = ''
    let at = node.start
    const spine = node.type === 'ChainExpression' || chained
    for (const [name, child] of children(node)) {
      if (child.start < at) continue
      const inner = spine && ['expression', 'object', 'callee'].includes(name)
      result += source.slice(at, child.start) + render(child, node, name, inner)
      at = child.end
    }
    result += source.slice(at, node.end)
    if (node.type === 'BlockStatement' || node.type === 'FunctionBody') {
      const empty = node.body.length === 0 || parent?.['isConstructor']
      return empty ? result : `{ if (!$mutant(${add(node, '{}')})) ${result} }`
    }
    // Without semicolons, the line before would call it.
    if (node.type === 'ExpressionStatement' && result.startsWith('(')) return `{${result}}`
    const looped = key === 'test' && /^(?:Do)?While|^For/.test(parent?.type ?? '')
    const changed = chained ? [] : [...changes(node, parent, key)]
    for (const to of changed.reverse()) result = `$mutant(${add(node, to)}) ? (${to}) : (${result})`
    if (looped) return `($mutantTick(), (${result}))`
    return changed.length > 0 ? `(${result})` : result
  }

  /** @param {Node} node @param {Node} [parent] @param {string} [key] @returns {Iterable<string>} */
  function* changes(node, parent, key) {
    const { operator } = node
    /** @param {Record<string, string[]>} table */
    const swapped = (table) =>
      (table[operator] ?? []).map((to) => {
        const between = source.slice(node.left.end, node.right.start).replace(operator, to)
        return `${logicalSide(text(node.left), to)}${between}${logicalSide(text(node.right), to)}`
      })
    const test = key === 'test' && /^If|^Conditional|While|^For/.test(parent?.type ?? '')
    const decided = operator in COMPARED || operator === '&&' || operator === '||'
    if (test || (decided && node.type !== 'AssignmentExpression')) {
      if (parent?.operator !== '||' && !/While|^For/.test(parent?.type ?? '')) yield 'true'
      if (parent?.operator !== '&&') yield 'false'
    }
    if (node.type === 'BinaryExpression') {
      yield* swapped(COMPARED)
      const texts = [node.left, node.right].some(
        ({ type, value }) => type === 'TemplateLiteral' || typeof value === 'string',
      )
      if (!texts) yield* swapped(ARITHMETIC)
    }
    if (node.type === 'LogicalExpression') yield* swapped(LOGICAL)
    if (node.type === 'AssignmentExpression') yield* swapped(ASSIGNED)
    if (node.type === 'UnaryExpression' && (operator === '!' || operator === '-'))
      yield text(node.argument)
    if (node.type === 'UpdateExpression')
      yield text(node).replace(operator, operator === '++' ? '--' : '++')
    if (node.type === 'Literal' && typeof node.value === 'boolean') yield String(!node.value)
    if (node.type === 'ObjectExpression' && node.properties.length > 0) yield '{}'
    if (node.type === 'ArrayExpression' && node.elements.length > 0) yield '[]'
    if (
      node.type === 'ArrowFunctionExpression' &&
      node.body.type !== 'FunctionBody' &&
      node.body.type !== 'BlockStatement'
    )
      if (text(node.body) !== 'undefined') yield '() => undefined'
    if (node.type === 'ChainExpression') yield* unchained(node)
    if (node.type === 'CallExpression' && node.callee.type === 'MemberExpression') {
      const { object, property } = node.callee
      if (REMOVED.includes(property.name)) yield text(object)
      const to =
        Object.hasOwn(METHODS, property.name) && /** @type {any} */ (METHODS)[property.name]
      if (to)
        yield source.slice(node.start, property.start) + to + source.slice(property.end, node.end)
    }
  }

  /** @param {Node} chain @returns {Iterable<string>} */
  function* unchained(chain) {
    for (let node = chain.expression; node; node = node.object ?? node.callee ?? node.expression) {
      if (!node.optional) continue
      const from = (node.object ?? node.callee).end
      const mark = source.indexOf('?.', from)
      const dot = node.type === 'MemberExpression' && !node.computed ? '.' : ''
      yield source.slice(chain.start, mark) + dot + source.slice(mark + 2, chain.end)
    }
  }

  const { program } = parseSync(file, source)
  return { code: render(/** @type {any} */ (program)), mutants }
}

/** `a ?? b && c` does not parse without parentheses. @param {string} side @param {string} operator */
function logicalSide(side, operator) {
  return operator === '&&' || operator === '||' ? `(${side})` : side
}

/** @param {Node} node @returns {[string, Node][]} */
function children(node) {
  if (/^TS(?!As|Satisfies|NonNull|ParameterProperty)|^Import/.test(node.type)) return []
  if (node.type === 'MethodDefinition') node.value.isConstructor = node.kind === 'constructor'
  const found = Object.entries(node).flatMap(([key, value]) =>
    TYPES.includes(key) || (node.type.startsWith('TS') && key !== 'expression')
      ? []
      : [value]
          .flat()
          .flatMap((child) => (child?.type && child.end > child.start ? [[key, child]] : [])),
  )
  return /** @type {[string, Node][]} */ (found).sort(([, a], [, b]) => a.start - b.start)
}

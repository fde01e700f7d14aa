// Writes the reference pages as Markdown, not yet formatted.
import { httpOf } from './index-page.mjs'
import { GUIDE, NOTICE, table } from './markdown.mjs'

/** What the examples may use without saying it. */
const SAMPLES = {
  address: 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N',
  source: 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N',
  destination: '0:83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8',
  hash: 'b26/Pw8BYz6VY7RyYB/w2Nf8pKBebsg+H4rT1pH5ZEM=',
  boc: 'te6cckEBAQEAAgAAAEysuc0=',
  master: 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs',
}

/** Types of parameters that the index explains. */
const EXPLAINED =
  /^(?:readonly )?(ActionType|AddressLike|BigintLike|BocLike|HashLike|OpcodeLike|TimeLike)(?:\[\]| \| readonly \1\[\])?$/

/** The page of one endpoint. */
export function endpointPage(api, endpoint) {
  const { name, lead, details, example } = endpoint
  const sections = [
    NOTICE,
    `# ${name}`,
    lead,
    details,
    factsTable(api, endpoint),
    '## Example',
    exampleBlock(api, example),
    '## Parameters',
    parametersTable(endpoint),
    '## Result',
    resultBlock(endpoint),
    '## Errors',
    errorsList(endpoint),
  ]
  return sections.filter((section) => section !== '').join('\n\n')
}

function factsTable(api, endpoint) {
  const { name, path, category, canWalk, canFollow } = endpoint
  const rows = [
    ['Request', `\`${httpOf(endpoint)} /api/${api.name}${path}\``],
    [api.servers.title, api.servers.long(endpoint)],
    ['Category', `[${category}](README.md#${category.toLowerCase().replaceAll(' ', '-')})`],
  ]
  const loop = (verb) =>
    `\`${api.name}.${name}.${verb}(params)\`, see [paging](../../guide/${api.pagingGuide})`
  if (canWalk) rows.push(['Walk', loop('iterate')])
  if (canFollow) rows.push(['Follow', loop('follow')])
  return table(['', ''], rows)
}

function exampleBlock(api, example) {
  const create = `create${api.title.replace('API v', 'V')}Client`
  const used = Object.entries(SAMPLES).filter(([name]) => usesName(example, name))
  const constants = used.map(([name, value]) => `const ${name} = '${value}'`)
  const lines = [
    `import { ${create} } from '@tonplug/core'`,
    '',
    `const ${api.name} = ${create}()`,
    ...constants,
    example,
  ]
  return `\`\`\`ts\n${lines.join('\n')}\n\`\`\``
}

/** Whether an example uses a name other than as a property. */
function usesName(example, name) {
  return new RegExp(String.raw`(?<![.\w])${name}(?!\w)`).test(example)
}

function parametersTable({ params, rules }) {
  if (params.length === 0) return 'None.'
  const rows = params.map(({ name, type, isRequired, whenLeftOut, text, expected }) => [
    `\`${name}\``,
    EXPLAINED.test(type) ? `[\`${type}\`](README.md#types-of-parameters)` : `\`${type}\``,
    isRequired ? 'yes' : 'no',
    whenLeftOut ?? '–',
    text.replace(/\.$/, ''),
    expected,
  ])
  const head = ['Name', 'Type', 'Required', 'Default', 'Is', 'Must be']
  return [table(head, rows), ...rules.map((rule) => ruleSentence(rule, params))].join('\n\n')
}

function ruleSentence(rule, params) {
  const names = new Set(params.map(({ name }) => name))
  const sentence = `${rule.replaceAll(/\w+/g, (word) => (names.has(word) ? `\`${word}\`` : word))}.`
  return `${sentence[0].toUpperCase()}${sentence.slice(1)}`
}

/** The page of a type that several results have. */
export function typePage({ name, text, declarations }) {
  return [NOTICE, `# ${name}`, text, resultBlock({ declarations })].join('\n\n')
}

function resultBlock({ declarations }) {
  const types = [...declarations.matchAll(/\bV3[A-Z]\w+/g)].map(([type]) => type)
  const declared = /^type (\w+) = /gm
  const own = new Set([...declarations.matchAll(declared)].map(([, type]) => type))
  const links = [...new Set(types)]
    .filter((type) => !own.has(type))
    .map((type) => `[\`${type}\`](${type}.md)`)
  const block = `\`\`\`ts\n${declarations}\n\`\`\``
  return links.length === 0 ? block : `${block}\n\n${links.join(', ')}.`
}

function errorsList({ errors }) {
  const common = `[The errors of every call](${GUIDE}#errors).`
  if (errors.length === 0) return common
  const rows = errors.map((text) => {
    const [, name, when] = /^\{(\w+)\} (.*)$/.exec(text)
    return [`\`${name}\``, when.replace(/\.$/, '')]
  })
  return `${table(['Class', 'When'], rows)}\n\nAnd [those of every call](${GUIDE}#errors).`
}

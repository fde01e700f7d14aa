// Writes the reference pages as Markdown, not yet formatted.

const NOTICE =
  '<!-- Made by scripts/generate-reference.mjs from the definitions of the endpoints. -->'
const GUIDE = '../../guide/data-apis.md'

/** What the examples may use without saying it. */
const SAMPLES = {
  address: 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N',
  source: 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N',
  destination: '0:83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8',
  hash: 'b26/Pw8BYz6VY7RyYB/w2Nf8pKBebsg+H4rT1pH5ZEM=',
  boc: 'te6cckEBAQEAAgAAAEysuc0=',
}

/** Types of parameters that the index explains. */
const EXPLAINED = /^(AddressLike|BigintLike|BocLike|HashLike|TimeLike)(\[\])?$/

/** The page of one endpoint. */
export function endpointPage(endpoint) {
  const { name, lead, details, example } = endpoint
  const sections = [
    NOTICE,
    `# ${name}`,
    lead,
    details,
    factsTable(endpoint),
    '## Example',
    exampleBlock(example),
    '## Parameters',
    parametersTable(endpoint),
    '## Result',
    resultBlock(endpoint),
    '## Errors',
    errorsList(endpoint),
  ]
  return sections.filter((section) => section !== '').join('\n\n')
}

function factsTable({ name, method, path, servers, category, canWalk }) {
  const rows = [
    ['Request', `\`${method} /api/v2${path}\``],
    ['Servers', servers === 'cpp' ? 'C++ only' : 'C++ and Python'],
    ['Category', `[${category}](README.md#${category.toLowerCase().replaceAll(' ', '-')})`],
  ]
  if (canWalk) rows.push(['Walk', `\`v2.${name}.iterate(params)\`, see [paging](${GUIDE}#paging)`])
  return table(['', ''], rows)
}

function exampleBlock(example) {
  const used = Object.entries(SAMPLES).filter(([name]) => usesName(example, name))
  const constants = used.map(([name, value]) => `const ${name} = '${value}'`)
  const lines = [
    "import { createV2Client } from '@tonplug/core'",
    '',
    'const v2 = createV2Client()',
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

function resultBlock({ declarations }) {
  const imports = declarations.includes('StackItem')
    ? "import type { StackItem } from '@tonplug/core'\n\n"
    : ''
  return `\`\`\`ts\n${imports}${declarations}\n\`\`\``
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

/** The page that lists all others. @param categories `[{ title, text, endpoints }]` */
export function indexPage(categories) {
  const count = categories.reduce((sum, { endpoints }) => sum + endpoints.length, 0)
  return [
    NOTICE,
    '# Reference of API v2',
    `Every path of API v2 is a method of the client that \`createV2Client()\` returns: ${count} of them. A method takes \`(params, options?)\` and returns a promise. How they behave together is in the [guide to the data APIs](${GUIDE}).`,
    ...categories.flatMap(({ title, text, endpoints }) => [
      `## ${title}`,
      withoutTitle(text, title),
      table(
        ['Method', 'HTTP', 'Servers', 'Is'],
        endpoints.map(({ name, method, servers, lead }) => [
          `[\`${name}\`](${name}.md)`,
          method,
          servers === 'cpp' ? 'C++' : 'both',
          lead,
        ]),
      ),
    ]),
    '## Types of parameters',
    table(
      ['Type', 'Is', 'Takes'],
      [
        [
          '`AddressLike`',
          '`string \\| { toRawString(): string }`',
          'raw or friendly, base64 or base64url; an `Address` of `@ton/core`. Checksums are checked',
        ],
        [
          '`HashLike`',
          '`string \\| Uint8Array`',
          '64 hex digits, with or without `0x`; base64; base64url, with or without padding; 32 bytes',
        ],
        [
          '`BigintLike`',
          '`bigint \\| string \\| number`',
          'decimal digits in a string; a number below 2^53',
        ],
        ['`TimeLike`', '`number \\| Date`', 'Unix seconds, whole'],
        ['`BocLike`', '`string \\| Uint8Array`', 'a bag of cells: base64, base64url, or its bytes'],
      ],
    ),
    'Everything is checked before it is sent. A name that the endpoint does not have is an `InvalidParamsError`, and in TypeScript an error of the compiler. What an answer holds may be passed on as it came: `v2.getBlockHeader(info.last)`.',
    '## Types of results',
    "Names of fields are those of the wire. `V2Result<'getTransactions'>` is the type of a result, `V2Parameters<'getTransactions'>` the one of its parameters; the names in the blocks of the pages are their own.",
    table(
      ['Type', 'Is'],
      [
        [
          '`bigint`',
          'an amount, a fee, a logical time, or another integer without bound; on the wire digits in a string, or a number',
        ],
        ['`number`', 'a time in Unix seconds, a seqno, a workchain, gas, an exit code'],
        ['`?: … \\| undefined`', 'absent or null from some servers, or in some cases'],
        ['`(string & {})`', 'another text than those named: servers learn new ones'],
      ],
    ),
    `\`StackItem\` and \`StackArgument\` are explained with [get-methods](${GUIDE}#get-methods).`,
    'An object with an `@type` or a `contract_type` that is not named passes as it came. Fields that are not named pass too, outside the type.',
  ].join('\n\n')
}

/** "Accounts: balances, states." below the title "Accounts" becomes "Balances, states.". */
function withoutTitle(text, title) {
  const rest = text.startsWith(`${title}: `) ? text.slice(title.length + 2) : text
  return `${rest[0].toUpperCase()}${rest.slice(1)}`
}

function table(head, rows) {
  const line = (cells) => `| ${cells.map(escapeCell).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

function escapeCell(text) {
  return text.replaceAll(/(?<!\\)\|/g, '\\|')
}

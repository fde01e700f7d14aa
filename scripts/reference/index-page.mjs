// Writes the page that lists all others of an API, as Markdown, not yet formatted.
import { GUIDE, NOTICE, table } from './markdown.mjs'

/** @param categories `[{ title, text, endpoints }]` */
export function indexPage(api, { categories, types }) {
  const count = categories.reduce((sum, { endpoints }) => sum + endpoints.length, 0)
  const create = `create${api.title.replace('API v', 'V')}Client`
  return [
    NOTICE,
    `# Reference of ${api.title}`,
    `Every path of ${api.title} is a method of the client that \`${create}()\` returns: ${count} of them. A method takes \`(params, options?)\` and returns a promise. How they behave together is in the [guide to the data APIs](${GUIDE}).`,
    ...categories.flatMap((category) => categorySection(api, category)),
    ...parameterSection(api),
    ...resultSection(api, types),
  ].join('\n\n')
}

function categorySection({ servers }, { title, text, endpoints }) {
  return [
    `## ${title}`,
    withoutTitle(text, title),
    table(
      ['Method', 'HTTP', servers.title, 'Is'],
      endpoints.map((endpoint) => [
        `[\`${endpoint.name}\`](${endpoint.name}.md)`,
        httpOf(endpoint),
        servers.short(endpoint),
        endpoint.lead,
      ]),
    ),
  ]
}

/** With which HTTP methods an endpoint is asked. */
export function httpOf({ method, takesPost }) {
  return takesPost === true ? 'GET, POST' : method
}

function parameterSection({ name, passedOn }) {
  return [
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
        [
          '`BocLike`',
          '`string \\| Uint8Array \\| { toBoc(): Uint8Array }`',
          'a bag of cells: base64, base64url, or its bytes; a `Cell` of `@ton/core`',
        ],
        ...(name === 'v3' ? V3_TYPES : []),
      ],
    ),
    `Everything is checked before it is sent. A name that the endpoint does not have is an \`InvalidParamsError\`, and in TypeScript an error of the compiler. What an answer holds may be passed on as it came: \`${passedOn}\`.`,
  ]
}

const V3_TYPES = [
  ['`OpcodeLike`', '`number \\| string`', 'a number below 2^32, or hex with `0x`'],
  ['`ActionType`', '`string`', 'a type of actions, or a short cut such as `latest` and `v1`'],
]

function resultSection(api, types) {
  const prefix = api.title.replace('API v', 'V')
  const named =
    types.length === 0
      ? []
      : [
          `These types have names that the package exports: ${types.map(({ name }) => `[\`${name}\`](${name}.md)`).join(', ')}.`,
        ]
  return [
    '## Types of results',
    `Names of fields are those of the wire. \`${prefix}Result<'${api.sampleMethod}'>\` is the type of a result, \`${prefix}Parameters<'${api.sampleMethod}'>\` the one of its parameters; the names in the blocks of the pages are their own.`,
    ...named,
    table(
      ['Type', 'Is'],
      [
        [
          '`bigint`',
          'an amount, a fee, a logical time, or another integer without bound; on the wire digits in a string, or a number',
        ],
        ['`number`', api.name === 'v2' ? V2_NUMBERS : V3_NUMBERS],
        ['`?: … \\| undefined`', 'absent or null from some servers, or in some cases'],
        ['`(string & {})`', 'another text than those named: servers learn new ones'],
      ],
    ),
    `\`StackItem\` and \`StackArgument\` are explained with [get-methods](${GUIDE}#get-methods).`,
    ...api.remarks,
  ]
}

const V2_NUMBERS = 'a time in Unix seconds, a seqno, a workchain, gas, an exit code'
const V3_NUMBERS = 'a time in Unix seconds, a seqno, a workchain, an exit code'

/** "Accounts: balances, states." below the title "Accounts" becomes "Balances, states.". */
function withoutTitle(text, title) {
  const rest = text.startsWith(`${title}: `) ? text.slice(title.length + 2) : text
  return `${rest[0].toUpperCase()}${rest.slice(1)}`
}

// What the words of the schemas' vocabulary are in TypeScript. A word is known by what it says that it expects.

const RESULTS = [
  { expects: 'an integer in decimal digits', type: 'bigint' },
  { expects: 'an integer', type: 'number' },
  { expects: 'an integer, or empty', type: 'number' },
  { expects: 'an opcode', type: 'string' },
  { expects: 'a number', type: 'number' },
  { expects: 'a text', type: 'string' },
  { expects: 'true or false', type: 'boolean' },
  { expects: 'an address as a text', type: 'string', note: 'address' },
  { expects: 'a 256-bit hash in base64', type: 'string', note: 'hash, base64' },
  {
    expects: 'a 256-bit hash in base64, or empty',
    type: 'string',
    note: 'hash, base64; empty where there is none',
  },
  { expects: 'base64', type: 'string', note: 'base64' },
  { expects: 'a shard', type: 'string', note: 'shard, decimal digits' },
  { expects: 'a text or an object', type: 'string | Readonly<Record<string, unknown>>' },
  { expects: 'an array', type: 'StackItem[]' },
]

const PARAMETERS = [
  { expects: "an address, or the text 'null'", type: 'AddressLike' },
  { expects: 'an integer from 0 to 2^256-1', type: 'BigintLike' },
  { expects: 'an opcode', type: 'OpcodeLike' },
  { expects: 'a type of actions', type: 'ActionType' },
  { expects: 'one of', type: 'string' },
  { expects: 'an address:', type: 'AddressLike' },
  { expects: 'an address, or', type: 'HashLike | AddressLike' },
  { expects: 'a 256-bit hash:', type: 'HashLike' },
  { expects: 'an integer from', type: 'number' },
  { expects: 'a logical time', type: 'BigintLike' },
  { expects: 'a Date', type: 'TimeLike' },
  { expects: 'a shard', type: 'bigint | string' },
  { expects: 'a bag of cells', type: 'BocLike' },
  { expects: 'true or false', type: 'boolean' },
  { expects: "true, false or 'auto'", type: "boolean | 'auto'" },
  { expects: 'a text or an integer', type: 'string | number' },
  { expects: 'a text', type: 'string' },
  { expects: 'the name of a get-method', type: 'string | number' },
  { expects: 'an object', type: 'Readonly<Record<string, unknown>>' },
]

/** What a word of a result reads to. @returns `{ type, note }` */
export function resultWord(schema) {
  const expected = expectedBy(schema)
  return RESULTS.find(({ expects }) => expects === expected) ?? unknownWord(expected)
}

/** The type of what a word of the parameters takes. */
export function parameterWord({ expected }, api) {
  const stack = { expects: 'an array', type: `readonly ${api.stackArgument}[]` }
  const found = [...PARAMETERS, stack].find(({ expects }) => expected.startsWith(expects))
  return (found ?? unknownWord(expected)).type
}

/** What a word says about a value that fits no word. */
function expectedBy(schema) {
  return schema.safeParse(Symbol('fits nothing')).error.issues[0].message
}

function unknownWord(expected) {
  throw new Error(`scripts/reference/words.mjs does not know what "${expected}" is`)
}

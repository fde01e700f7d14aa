/** A path to a value in parsed JSON. */
export type JsonPath = readonly (string | number)[]

/** Returns the paths of all values in parsed JSON, including the root. */
export function placesOf(value: unknown, path: JsonPath = []): JsonPath[] {
  const inner: [string | number, unknown][] = Array.isArray(value)
    ? value.map((item, index) => [index, item])
    : Object.entries(typeof value === 'object' && value !== null ? value : {})
  return [path, ...inner.flatMap(([key, one]) => placesOf(one, [...path, key]))]
}

/** Returns the replacement of a value. */
export type Mutation = (value: unknown) => unknown

/** Replaces a value whose place is removed. */
const REMOVED = Symbol('removed')

const HUGE = '9'.repeat(400)
const HASH = `${'B'.repeat(42)}E=`

const REPLACEMENTS: readonly unknown[] = [
  REMOVED,
  null,
  true,
  false,
  // Numbers: small ones, fractions, and numbers that have lost digits.
  ...numbers(0, -1, 1.5, -0, 1e300, Number.MAX_SAFE_INTEGER, 2 ** 53),
  // Strings that resemble integers, and integers.
  ...texts(
    '',
    ' ',
    '-',
    '-0',
    '+1',
    '1.0',
    '1e9',
    '0x10',
    ' 1',
    '1 ',
    '00',
    '1_000',
    '１',
    '\u0661',
  ),
  ...texts('12', '-12', '999999999', '1000000000', '-999999999999999', '9007199254740993'),
  ...texts(HUGE, `-${HUGE}`),
  // Strings that resemble hashes, and hashes.
  ...texts(HASH, HASH.slice(1), `${HASH}=`, HASH.replace('E', 'B'), HASH.replace('B', '_')),
  ...texts(`é${HASH.slice(1)}`, '0x0f8a7ea5', 'uninitialized', 'brand new', 'constructor', 'null'),
  [],
  [[]],
  [null],
  ['1', '2'],
  [{}],
  {},
  { '@type': 'msg.dataRaw' },
  { '@type': 5 },
  { type: 'ton_transfer', details: {} },
  { children: [{}] },
  { lt: '1', hash: HASH },
]

/** Mutations of any value. */
export const MUTATIONS: readonly Mutation[] = [
  ...REPLACEMENTS.map((replacement) => () => replacement),
  (value) => [value],
  (value) => ({ value }),
  (value) => String(value),
  (value) => Number(value),
  (value) => (Array.isArray(value) ? [...(value as unknown[]), null] : REMOVED),
  (value) => (Array.isArray(value) ? [...(value as unknown[]), {}] : value),
  (value) => (isObject(value) ? { ...value, not_described: { deep: [1, null] } } : [value, value]),
  (value) => (isObject(value) ? { ...value, toString: null, length: 5 } : { length: 1 }),
]

/** Returns a copy with a mutated value at a path. */
export function mutate(json: unknown, path: JsonPath, mutation: Mutation): unknown {
  const copy = { root: structuredClone(json) }
  let holder: Record<string | number, unknown> = copy
  let last: string | number = 'root'
  for (const key of path) {
    // The path is from `placesOf` of this value.
    holder = holder[last] as Record<string | number, unknown>
    last = key
  }
  const replacement = mutation(holder[last])
  if (replacement === REMOVED) delete holder[last]
  else holder[last] = replacement
  return copy.root
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function numbers(...values: readonly number[]): readonly number[] {
  return values
}

function texts(...values: readonly string[]): readonly string[] {
  return values
}

/** A way to a value inside parsed JSON. */
export type JsonPath = readonly (string | number)[]

/** Every place in parsed JSON, the whole included. */
export function placesOf(value: unknown, path: JsonPath = []): JsonPath[] {
  const inner: [string | number, unknown][] = Array.isArray(value)
    ? value.map((item, index) => [index, item])
    : Object.entries(typeof value === 'object' && value !== null ? value : {})
  return [path, ...inner.flatMap(([key, one]) => placesOf(one, [...path, key]))]
}

/** One change of a value: what stands there instead. */
export type Mutation = (value: unknown) => unknown

/** In place of a value: the place is taken out. */
const REMOVED = Symbol('removed')

const HUGE = '9'.repeat(400)
const HASH = `${'B'.repeat(42)}E=`

const REPLACEMENTS: readonly unknown[] = [
  REMOVED,
  null,
  true,
  false,
  // Numbers: small ones, fractions, and those that lost digits.
  ...numbers(0, -1, 1.5, -0, 1e300, Number.MAX_SAFE_INTEGER, 2 ** 53),
  // Texts that look like integers, and some that are.
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
  // Texts that look like hashes, and some that are.
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

/** Ways to change any value. */
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

/** A copy with another value at a place. */
export function mutate(json: unknown, path: JsonPath, mutation: Mutation): unknown {
  const copy = { root: structuredClone(json) }
  let holder: Record<string | number, unknown> = copy
  let last: string | number = 'root'
  for (const key of path) {
    // The path was made of this very value.
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

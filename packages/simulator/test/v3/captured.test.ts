import { readTestdata } from '@tonplug/test-support/testdata'
import { expect, it } from 'vitest'
import { getV3, startSampleChain } from './sample-chain.js'

/** Keys that servers added after the responses were captured. Source: API facts, part 2.3. */
const NEWER = new Set([
  'decoded_custom_payload',
  'decoded_forward_payload',
  'decoded_opcode',
  'extra_flags',
  'finality',
  'hash_norm',
  'interfaces',
])

/** Keys with dynamic contents, or that only one kind of row has. */
const FREE = new Set([
  'address_book',
  'metadata',
  'decoded',
  'decoded_forward_payload',
  'details',
  'actions',
])

type Shape = Map<string, Set<string>>

/** The types at each path of a response. */
function shapeOf(value: unknown, shape: Shape = new Map(), path = ''): Shape {
  const types = shape.get(path) ?? new Set<string>()
  shape.set(path, types.add(typeOf(value)))
  if (Array.isArray(value)) for (const one of value) shapeOf(one, shape, `${path}[]`)
  else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      if (FREE.has(key)) continue
      const isHash = /^[\w+/]{43}=$/.test(key)
      shapeOf(inner, shape, `${path}.${isHash ? '{}' : key}`)
    }
  }
  return shape
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

/** Returns the paths that are missing, have another type, or exist only in the simulated response. */
function differences(name: string, response: unknown): string[] {
  const text = readTestdata(`v3/${name}.captured.json`)
  const captured = shapeOf(JSON.parse(text))
  const ours = shapeOf(response)
  const lacking = [...captured]
    .filter(([path, types]) => !areAlike(types, ours.get(path)))
    .map(([path, types]) => `${path} is ${[...types].join(' or ')}`)
  const added = [...ours.keys()]
    .filter((path) => !captured.has(path) && !isExcused(path, captured))
    .map((path) => `${path} is missing in the captured response`)
  return [...lacking, ...added]
}

/** Returns true when all types at a path are among the captured ones; null is always allowed. */
function areAlike(captured: ReadonlySet<string>, ours: ReadonlySet<string> | undefined): boolean {
  if (ours === undefined) return false
  const isNullOnly = captured.size === 1 && captured.has('null')
  return isNullOnly || [...ours].every((type) => type === 'null' || captured.has(type))
}

/** Returns true for a path that is newer than the capture, or belongs to a kind of row that was not captured. */
function isExcused(path: string, captured: Shape): boolean {
  if (NEWER.has(path.split('.').at(-1)!) || OF_SOME_ROWS.test(path)) return true
  const parent = path.replace(/(?:\[\]|\.[^.[]+)$/, '')
  return /in_msg\b/.test(path) && !captured.has(parent)
}

/** Phases and parts that only some transactions and messages have. */
const OF_SOME_ROWS =
  /description\.(?:bounce|credit_ph|storage_ph|action|compute_ph)|out_msgs|init_state|_by_currency|children/

it.each([
  ['actions', '/actions'],
  ['jettonTransfers', '/jetton/transfers'],
  ['jettonWallets', '/jetton/wallets'],
  ['masterchainInfo', '/masterchainInfo'],
  ['traces', '/traces'],
  ['transactions', '/transactions'],
  // Compares all rows, which are of several kinds.
  ['transactionsByMessage', '/transactions'],
])('returns the keys and types of a captured response for %s', async (name, path) => {
  const { body } = await getV3(await startSampleChain(), path, { limit: 1000 })
  expect(differences(name, body)).toEqual([])
})

import { readFileSync } from 'node:fs'
import { expect, it, vi } from 'vitest'
import { getV3, tellStory } from './v3-story.js'

vi.setConfig({ testTimeout: 60_000 })

const FIXTURES = new URL('../../../core/test/fixtures/v3/', import.meta.url)

/** Keys that servers have only since those answers were captured. Source: API facts, part 2.3. */
const NEWER = new Set([
  'decoded_custom_payload',
  'decoded_forward_payload',
  'decoded_opcode',
  'extra_flags',
  'finality',
  'hash_norm',
  'interfaces',
])

/** Keys with contents of their own, or that stand for ones of a row's kind alone. */
const FREE = new Set([
  'address_book',
  'metadata',
  'decoded',
  'decoded_forward_payload',
  'details',
  'actions',
])

type Shape = Map<string, Set<string>>

/** Every place of an answer with the types that stand there. */
function shapeOf(value: unknown, shape: Shape = new Map(), place = ''): Shape {
  const types = shape.get(place) ?? new Set<string>()
  shape.set(place, types.add(typeOf(value)))
  if (Array.isArray(value)) for (const one of value) shapeOf(one, shape, `${place}[]`)
  else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      if (FREE.has(key)) continue
      const isHash = /^[\w+/]{43}=$/.test(key)
      shapeOf(inner, shape, `${place}.${isHash ? '{}' : key}`)
    }
  }
  return shape
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

/** Looks for keys of the captured answer that ours lacks, for those that only ours has, and for other types. */
function compare(name: string, answer: unknown): void {
  const text = readFileSync(new URL(`${name}.captured.json`, FIXTURES), 'utf8')
  const captured = shapeOf(JSON.parse(text))
  const ours = shapeOf(answer)
  for (const [place, types] of captured) {
    expect({ name, place, isThere: ours.has(place) }).toEqual({ name, place, isThere: true })
    const other = [...ours.get(place)!].filter((type) => type !== 'null')
    const known = [...types].filter((type) => type !== 'null')
    if (known.length > 0 && other.length > 0) {
      expect({ name, place, types: other }).toEqual({ name, place, types: known })
    }
  }
  for (const place of ours.keys()) {
    if (NEWER.has(place.split('.').at(-1)!)) continue
    const parent = place.replace(/(?:\[\]|\.[^.[]+)$/, '')
    // A phase that no captured transaction has is no key too many.
    if (/description\b|out_msgs|init_state|in_msg\b/.test(place) && !captured.has(parent)) continue
    if (OF_SOME_ROWS.test(place)) continue
    expect({ name, place, isCaptured: captured.has(place) }).toEqual({
      name,
      place,
      isCaptured: true,
    })
  }
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
  // Rows of the same kind; among all of them are some of each sort.
  ['transactionsByMessage', '/transactions'],
])('%s has the keys of a captured answer, and of the same types', async (name, path) => {
  const { body } = await getV3(await tellStory(), path, { limit: 1000 })
  compare(name, body)
})

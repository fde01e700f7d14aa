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

/** Places of the captured answer that ours lacks, or has with another type, and those that only ours has. */
function differences(name: string, answer: unknown): string[] {
  const text = readFileSync(new URL(`${name}.captured.json`, FIXTURES), 'utf8')
  const captured = shapeOf(JSON.parse(text))
  const ours = shapeOf(answer)
  const lacking = [...captured]
    .filter(([place, types]) => !areAlike(types, ours.get(place)))
    .map(([place, types]) => `${place} is ${[...types].join(' or ')}`)
  const added = [...ours.keys()]
    .filter((place) => !captured.has(place) && !isExcused(place, captured))
    .map((place) => `${place} is not there`)
  return [...lacking, ...added]
}

/** Whether no value at a place has a type that the captured ones do not have; any may be null. */
function areAlike(captured: ReadonlySet<string>, ours: ReadonlySet<string> | undefined): boolean {
  if (ours === undefined) return false
  const isNullOnly = captured.size === 1 && captured.has('null')
  return isNullOnly || [...ours].every((type) => type === 'null' || captured.has(type))
}

/** Whether a place is newer than the capture, or of rows of a sort that no capture has. */
function isExcused(place: string, captured: Shape): boolean {
  if (NEWER.has(place.split('.').at(-1)!) || OF_SOME_ROWS.test(place)) return true
  const parent = place.replace(/(?:\[\]|\.[^.[]+)$/, '')
  return /in_msg\b/.test(place) && !captured.has(parent)
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
  expect(differences(name, body)).toEqual([])
})

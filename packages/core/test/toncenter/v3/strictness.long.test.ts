import { describe, expect, it } from 'vitest'
import { ResponseShapeError } from '../../../src/toncenter/errors/api.js'
import { writePath } from '../../../src/toncenter/schema/mismatch.js'
import { parseJson } from '../../../src/toncenter/transport/lossless-json.js'
import { readResult } from '../../../src/toncenter/v3/response.js'
import { decoders, endpoints, type EndpointName } from './every-endpoint.js'
import { readFixtures } from './fixtures.js'

const MONEY_OR_LT =
  /^(?:balance|amount|value|price|lt|query_id|total_supply|index|approvals_mask|points|credit|start_lt|end_lt|native_fee|send_request_id|order_seqno)$|_(?:lt|fee|fees|amount|price|index|swapped|bid|supply|minted|burnt)$|^(?:amount|target_amount)_[12]$|^(?:storage_fees|gas)_/
const HASH = /^(?:hash|hash_norm|trace_id|action_id)$|_hash$|_hash_norm$/
/** Maps of amounts by currency, account or jetton. */
const AMOUNTS = /(?:extra_currencies|^changes|^fees|^jettons\..*)$/
/** Free JSON, and fields that are not hashes despite their names. */
const FREE =
  /^(?:extra|decoded.*|parsed_body|stack|content|\w+_content|bodies|message_hash.*|nft_index|signers_hash|new_secret_hash)$/
/** Optional fields: an unreadable one counts as absent, alone or with its object. */
const LENIENT =
  /(?:^|\.)(?:details|init_state|(?:tot_)?msg_size|\w*extra_currencies)\.|^nft_items\.\d+\.collection\.|\.nft_item\.|\.account_state_(?:before|after)\.\w*hash$|\.(?:account_state|frozen|data|code|jetton_wallet_code|vm_init_state|vm_final_state|action_list|trace_external)_hash(?:_norm)?$/
const NO_INTEGER = ['', 'x', '1.5', '0x10', '1e9', ' 1', 1.5, true, {}, []]
const NO_HASH = ['x', 'A'.repeat(43), 'A'.repeat(45), `${'A'.repeat(43)}!`, 'ab'.repeat(32), 5, {}]

type Keys = readonly (string | number)[]

/** A value that must be of its kind, with the values that it must not be. */
interface Place {
  keys: Keys
  bad: readonly unknown[]
}

function isLenient(keys: Keys): boolean {
  return LENIENT.test(keys.join('.'))
}

/** Everything in a value that is neither object nor list, free JSON left out. */
function leavesIn(value: unknown, keys: Keys = []): { keys: Keys; value: unknown }[] {
  if (typeof value !== 'object' || value === null) return [{ keys, value }]
  return Object.entries(value)
    .filter(([key]) => !FREE.test(key))
    .flatMap(([key, inner]) => leavesIn(inner, [...keys, Array.isArray(value) ? Number(key) : key]))
}

function placesIn(row: object): Place[] {
  const filled = leavesIn(row).filter(({ value }) => value !== null && value !== '')
  return filled.flatMap(({ keys }): Place[] => {
    const name = String(keys.at(-1))
    // The key of a deleted record, which has no fixed format.
    if (keys.at(-2) === 'details' && name === 'hash') return []
    if (HASH.test(name)) return [{ keys, bad: NO_HASH }]
    const isAmount = MONEY_OR_LT.test(name) || AMOUNTS.test(keys.slice(0, -1).join('.'))
    return isAmount ? [{ keys, bad: NO_INTEGER }] : []
  })
}

/** Outcome of a body: the path of its error, or its value. */
interface Outcome {
  path?: string
  value?: unknown
}

async function outcomeOf(endpoint: EndpointName, body: unknown): Promise<Outcome> {
  const text = JSON.stringify(body)
  const json = parseJson(text)
  const answer = { status: 200, headers: new Headers(), text, json, retryAfterMs: undefined }
  const reading = { endpoint: endpoints[endpoint], decoder: decoders[endpoint], params: {} }
  const read = readResult(answer, reading)
  if (read.kind === 'ok') return { value: read.value }
  const error = read.error({ endpoint, attempts: 1 })
  expect(error).toBeInstanceOf(ResponseShapeError)
  return error instanceof ResponseShapeError ? { path: error.path } : {}
}

/** Returns the outcome of a body with another value at `keys`. */
async function outcomeWith(
  { endpoint, row }: { endpoint: EndpointName; row: object },
  keys: Keys,
  value: unknown,
): Promise<Outcome> {
  const copy = structuredClone(row)
  const holder = keys.slice(0, -1).reduce<object>((inner, key) => Reflect.get(inner, key), copy)
  Reflect.set(holder, String(keys.at(-1)), value)
  return await outcomeOf(endpoint, copy)
}

/** Returns the value at a path; `undefined` too when an object on the way is absent. */
function valueAt(value: unknown, keys: Keys): unknown {
  return keys.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined,
    value,
  )
}

/** One body for each row of a list, since a body is decoded for each of its places. */
function rowsOf(body: object): object[] {
  const [[name, rows] = ['', undefined]] = Object.entries(body).filter(([, value]) =>
    Array.isArray(value),
  )
  if (!Array.isArray(rows) || FREE.test(name) || Array.isArray(body)) return [body]
  const described = rows.filter(({ type }) => type !== 'robot_dance' && type !== 'flea_market')
  return described.map((row: unknown) => ({ ...body, [name]: [row] }))
}

const bodies = readFixtures().map(({ file, endpoint, text }) => {
  const rows = rowsOf(parseJson(text) as object)
  return { file, rows: rows.map((row) => ({ endpoint, row, places: placesIn(row) })) }
})

describe('fields with money, lt and hashes', () => {
  it('are in the fixtures more than 2000 times', () => {
    const count = bodies.flatMap(({ rows }) => rows.flatMap(({ places }) => places)).length
    expect(count).toBeGreaterThan(2000)
  })

  it.each(bodies)(
    'are rejected with their path in $file when they are invalid',
    async ({ rows }) => {
      for (const row of rows) {
        for (const { keys, bad } of row.places.filter(({ keys }) => !isLenient(keys))) {
          for (const value of bad) {
            const { path } = await outcomeWith(row, keys, value)
            expect({ value, path }).toEqual({ value, path: writePath(keys) })
          }
        }
      }
    },
  )

  it.each(bodies)('are undefined in $file when they are optional and invalid', async ({ rows }) => {
    for (const row of rows) {
      for (const { keys, bad } of row.places.filter(({ keys }) => isLenient(keys))) {
        for (const value of bad) {
          const { path, value: decoded } = await outcomeWith(row, keys, value)
          expect({ keys, value, path }).toEqual({ keys, value, path: undefined })
          expect(valueAt(decoded, keys)).toBeUndefined()
        }
      }
    }
  })

  it.each([
    ['transactions', 'transactions', ['account', 'hash', 'lt', 'now', 'total_fees', 'description']],
    ['actions', 'actions', ['action_id', 'start_lt', 'end_lt', 'type']],
    ['traces', 'traces', ['start_lt', 'trace_info']],
    ['jettonWallets', 'jetton_wallets', ['address', 'balance', 'owner', 'jetton']],
    [
      'jettonTransfers',
      'jetton_transfers',
      ['amount', 'transaction_hash', 'transaction_lt', 'transaction_aborted', 'jetton_master'],
    ],
    ['nftItems', 'nft_items', ['address', 'index', 'init']],
  ] as const)('are required in %s', async (endpoint, list, names) => {
    const rows = bodies.flatMap((body) => body.rows).filter((row) => row.endpoint === endpoint)
    for (const row of rows) {
      for (const name of names) {
        const keys = [list, 0, name]
        expect((await outcomeWith(row, keys, undefined)).path).toBe(writePath(keys))
        expect((await outcomeWith(row, keys, null)).path).toBe(writePath(keys))
      }
    }
  })
})

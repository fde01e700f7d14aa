import { describe, expect, it } from 'vitest'
import { ResponseShapeError } from '../../../src/toncenter/errors/api.js'
import { parseJson } from '../../../src/toncenter/transport/lossless-json.js'
import { readResult } from '../../../src/toncenter/v2/response.js'
import { v2Decoders } from '../../../src/toncenter/v2/generated/decoders.js'
import { v2Endpoints } from '../../../src/toncenter/v2/endpoints/table.js'
import type { V2EndpointName } from '../../../src/toncenter/v2/endpoint-types.js'
import { readFixtures } from './fixtures.js'
import { leavesOf } from './raw-digits.js'

const MONEY_OR_LT =
  /\/(?:balance|amount|value|fee|\w+_fee|lt|\w+_lt|total_supply|index|next_item_index|unlocked_balance|A|B|min_A|min_B|channel_id)$/
const HASH = /\/(?:hash|hash_norm|\w+_hash)$/
const NO_INTEGER = ['', 'x', '1.5', '0x10', '1e9', ' 1', 1.5, true, {}, []]
const NO_HASH = ['x', 'A'.repeat(43), 'A'.repeat(45), `${'A'.repeat(43)}!`, 'ab'.repeat(32), 5, {}]

/** Decodes a body that was changed at one place, and answers the error's path. */
async function pathOfError(endpoint: V2EndpointName, body: unknown): Promise<string | undefined> {
  const text = JSON.stringify(body)
  const json = parseJson(text)
  const answer = { status: 200, headers: new Headers(), text, json, retryAfterMs: undefined }
  const reading = { endpoint: v2Endpoints[endpoint], decoder: v2Decoders[endpoint] }
  const read = readResult(answer, reading)
  if (read.kind === 'ok') return undefined
  const error = read.error({ endpoint, attempts: 1 })
  expect(error).toBeInstanceOf(ResponseShapeError)
  return error instanceof ResponseShapeError ? error.path : undefined
}

/** A copy with another value at `path`. */
function replaceAt(body: unknown, path: string, value: unknown): unknown {
  const copy: unknown = structuredClone(body)
  const keys = path.split('/').slice(1)
  const last = keys.pop() ?? ''
  let inner = copy as Record<string, unknown>
  for (const key of keys) inner = inner[key] as Record<string, unknown>
  inner[last] = value
  return copy
}

/** The form of a path in errors. */
function written(path: string): string {
  return path
    .slice(1)
    .replace(/\/(\d+)(?=\/|$)/g, '[$1]')
    .replaceAll('/', '.')
}

const places = readFixtures().flatMap(({ file, endpoint, text }) => {
  const body = parseJson(text)
  const paths = leavesOf(body).map(({ path }) => path)
  // On-chain content and stacks are free.
  const strict = endpoint.startsWith('sendBoc')
    ? [] // A message that was accepted is on its way, whatever the answer holds.
    : paths.filter((path) => !/content|\/stack\//.test(path))
  return [
    ...strict.filter((path) => MONEY_OR_LT.test(path)).map((path) => ({ path, bad: NO_INTEGER })),
    ...strict.filter((path) => HASH.test(path)).map((path) => ({ path, bad: NO_HASH })),
  ].map((place) => ({ ...place, file, endpoint, body }))
})

describe('fields with money, lt and hashes', () => {
  it('are in the fixtures more than 300 times', () => {
    expect(places.length).toBeGreaterThan(300)
  })

  it.each(readFixtures())(
    'are rejected with their path in $file when they are invalid',
    async ({ file }) => {
      for (const { path, bad, endpoint, body } of places.filter((place) => place.file === file)) {
        for (const value of bad) {
          const changed = replaceAt(body, path, value)
          expect({ value, path: await pathOfError(endpoint, changed) }).toEqual({
            value,
            path: written(path),
          })
        }
      }
    },
  )

  it.each(['x', '', 1.5, null, { balance: 1 }])('are rejected as a balance: %j', async (result) => {
    expect(await pathOfError('getAddressBalance', { ok: true, result })).toBe('result')
  })

  it('are required, except for some hashes', async () => {
    const optional = /\/(?:in_msg|out_msgs\/\d+)\/hash$|body_hash$|frozen_hash$/
    for (const { path, endpoint, body } of places) {
      const isRequired = !optional.test(path)
      const found = await pathOfError(endpoint, replaceAt(body, path, undefined))
      expect({ path, found }).toEqual({ path, found: isRequired ? written(path) : undefined })
    }
  })
})

import { describe, expect, it } from 'vitest'
import { createV2Client } from '../../../src/toncenter/v2/client.js'
import { v2Endpoints } from '../../../src/toncenter/v2/endpoints/table.js'
import type { V2EndpointName } from '../../../src/toncenter/v2/endpoint-types.js'
import { startMockApi } from '@tonplug/test-support/mock-api'
import { readFixture, readFixtures } from './fixtures.js'
import { leavesOf, parseDigits } from './raw-digits.js'
import { sampleParameters } from './sample-parameters.js'

/** Calls an endpoint with its sample parameters, against a server that answers `text`. */
async function callWith(endpoint: V2EndpointName, text: string): Promise<unknown> {
  const { baseUrl } = await startMockApi(() => text)
  const v2 = createV2Client({ baseUrl, rps: Infinity })
  // One call for any endpoint: its own parameters are what it gets.
  const call = v2[endpoint] as (params: unknown) => Promise<unknown>
  return await call(sampleParameters[endpoint])
}

/** Every value with its place, as text. A stack is converted, so it has tests of its own. */
function describeLeaves(result: unknown): string[] {
  return leavesOf(result)
    .filter(({ path }) => !path.startsWith('/stack/'))
    .map(({ path, value }) => `${path} ${String(value)}`)
    .toSorted()
}

describe('responses of both servers', () => {
  it.each(readFixtures())('decode to the digits of the wire: $file', async (fixture) => {
    const { endpoint, text } = fixture
    const { result } = parseDigits(text) as { result: unknown }
    expect(describeLeaves(await callWith(endpoint, text))).toEqual(describeLeaves(result))
  })

  it('has a fixture for every endpoint', () => {
    const covered = new Set<string>(readFixtures().map(({ endpoint }) => endpoint))
    const missing = Object.keys(v2Endpoints).filter((name) => !covered.has(name))
    expect(missing).toEqual(['jsonRPC'])
  })

  it('keeps unknown fields', async () => {
    const text = readFixture('getMasterchainInfo.cpp.json').replace(
      '"last"',
      '"new": {"a": 1}, "last"',
    )
    expect(await callWith('getMasterchainInfo', text)).toHaveProperty('new', { a: 1 })
  })

  it('treats null as absent', async () => {
    const text = readFixture('getTransactions.cpp.json')
      .replace('"in_msg": {', '"in_msg": null, "was_in_msg": {')
      .replace('"account": "0:', '"account": null, "was_account": "0:')
    const [newest] = (await callWith('getTransactions', text)) as [Record<string, unknown>]
    expect(newest['in_msg']).toBeUndefined()
    expect(newest['account']).toBeUndefined()
  })

  it('reads money and lt as bigint, times and seqnos as number', async () => {
    const state = await callWith(
      'getAddressInformation',
      readFixture('getAddressInformation.cpp.json'),
    )
    expect(state).toMatchObject({
      balance: 9_007_199_254_740_993_001n,
      extra_currencies: [{ id: 100, amount: 2n ** 128n - 1n }],
      last_transaction_id: { lt: 63_870_000_000_003n },
      block_id: { seqno: 66_112_233, workchain: -1, shard: '-9223372036854775808' },
      sync_utime: 1_784_332_060,
    })
  })
})

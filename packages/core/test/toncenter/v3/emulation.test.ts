import { startMockApi, type Reply } from '@tonplug/test-support/mock-api'
import { describe, expect, it } from 'vitest'
import { createV3Client } from '../../../src/toncenter/v3/client.js'
import type { V3Result } from '../../../src/toncenter/v3/endpoint-types.js'
import { parseTrace } from '../../../src/toncenter/chain/parse-trace.js'
import { callWith } from './call-with.js'
import { readFixture } from './fixtures.js'
import { sampleParameters } from './sample-parameters.js'

const boc = 'te6cckEBAQEAAgAAAEysuc0='

/** The received format of an emulation, as far as the tests change it. */
interface Received {
  is_incomplete?: boolean
  trace: { children: { tx_hash: string }[] }
  transactions: Record<string, { out_msgs: { value: string | null }[] }>
}

/** Emulates a message against a server that responds with the sample, changed. */
async function emulateWith(
  change: (received: Received) => void,
): Promise<V3Result<'emulateTrace'>> {
  const received = JSON.parse(readFixture('emulateTrace.described.json')) as Received
  change(received)
  return await emulate(() => JSON.stringify(received))
}

async function emulate(respond: () => Reply | string): Promise<V3Result<'emulateTrace'>> {
  const { baseUrl } = await startMockApi(respond)
  return await createV3Client({ baseUrl, rps: Infinity }).emulateTrace({ boc })
}

describe('an emulation', () => {
  it('is requested from its own service', async () => {
    const { baseUrl, requests } = await startMockApi(() =>
      readFixture('emulateTonConnect.described.json'),
    )
    const v3 = createV3Client({ baseUrl, rps: Infinity })
    await v3.emulateTonConnect(sampleParameters.emulateTonConnect)
    await v3.emulateTrace(sampleParameters.emulateTrace)
    expect(requests.map(({ url }) => new URL(url, baseUrl).pathname)).toEqual([
      '/api/emulate/v1/emulateTonConnect',
      '/api/emulate/v1/emulateTrace',
    ])
    const [request] = requests
    expect(request?.body).toMatchObject({
      messages: [{ amount: '5' }, { amount: '1', payload: boc, stateInit: boc }],
      valid_until: 1_800_000_000,
      with_actions: true,
    })
  })

  it('has its effects where it is complete', async () => {
    const emulated = await emulateWith(() => undefined)
    if (emulated.is_incomplete) throw new Error('it is complete')
    expect(Object.values(emulated.transactions)).toHaveLength(5)
    expect(emulated.trace.children).toHaveLength(1)
    expect(emulated).not.toHaveProperty('partial')
  })

  it('has no effects but partial ones where the server stopped early', async () => {
    const emulated = await emulateWith((received) => (received.is_incomplete = true))
    expect(emulated).not.toHaveProperty('trace')
    expect(emulated).not.toHaveProperty('transactions')
    expect(emulated).not.toHaveProperty('actions')
    if (!emulated.is_incomplete) throw new Error('it is incomplete')
    expect(Object.values(emulated.partial.transactions)).toHaveLength(5)
    expect(emulated.partial.trace.children).toHaveLength(1)
    // @ts-expect-error the effects are in `partial` alone
    expect(emulated.transactions).toBeUndefined()
  })

  it('is described like a trace that is not final', async () => {
    const emulated = await emulateWith(() => undefined)
    if (emulated.is_incomplete) throw new Error('it is complete')
    const { traces } = await callWith('traces', readFixture('traces.captured.json'))
    const [trace] = traces
    if (trace === undefined) throw new Error('no trace')
    const { fees, accounts, messages, outcome } = parseTrace(trace)
    expect(parseTrace(emulated)).toMatchObject({
      fees,
      accounts,
      messages,
      outcome,
      isComplete: true,
      isFinal: false,
    })
  })

  it('cannot be described where it is incomplete', async () => {
    const emulated = await emulateWith((received) => (received.is_incomplete = true))
    if (!emulated.is_incomplete) throw new Error('it is incomplete')
    // @ts-expect-error only a part is known
    expect(() => parseTrace(emulated)).toThrow('or a complete emulation')
    const partial = { ...emulated.partial, is_incomplete: true }
    expect(() => parseTrace(partial as never)).toThrow('or a complete emulation')
  })

  it('is incomplete where a message has no transaction, although the server states nothing', async () => {
    const emulated = await emulateWith(({ trace, transactions }) => {
      for (const { tx_hash: hash } of trace.children.splice(0)) delete transactions[hash]
    })
    expect(emulated.is_incomplete).toBe(true)
  })

  it('is complete where only an external message has no transaction', async () => {
    const emulated = await emulateWith(({ transactions }) => {
      const [first, last] = Object.values(transactions)
      const sent = first?.out_msgs[0] ?? last?.out_msgs[0]
      last?.out_msgs.push({ ...sent, hash: 'A'.repeat(43) + '=', value: null } as never)
    })
    expect(emulated.is_incomplete).toBe(false)
  })

  it('is rejected where the server does not state if it is complete', async () => {
    await expect(emulateWith((received) => delete received.is_incomplete)).rejects.toMatchObject({
      code: 'ERR_TONPLUG_RESPONSE_SHAPE',
      path: 'is_incomplete',
    })
  })

  it.each([
    ['EmulationExternalNotAccepted: 133', 500, 'ERR_TONPLUG_MESSAGE_REJECTED', { exitCode: 133 }],
    ['Account is not a known wallet', 500, 'ERR_TONPLUG_CONFLICT', {}],
    ['Account state no code or no data', 500, 'ERR_TONPLUG_CONFLICT', {}],
    ['Invalid address format: x', 500, 'ERR_TONPLUG_VALIDATION', {}],
    ['invalid request: boc is required', 400, 'ERR_TONPLUG_VALIDATION', {}],
    ['Failed to unpack emulated Transaction', 500, 'ERR_TONPLUG_SERVER', {}],
  ])('rejects with the error %s of the server', async (reason, status, code, more) => {
    const body = JSON.stringify({ error: reason })
    await expect(emulate(() => ({ status, body }))).rejects.toMatchObject({
      code,
      details: { reason, status },
      ...more,
    })
  })

  it('is requested again where the emulator took too long', async () => {
    const error = 'failed to receive result from emulator channel: context deadline exceeded'
    const replies: (Reply | string)[] = [
      { status: 500, body: JSON.stringify({ error }) },
      readFixture('emulateTrace.described.json'),
    ]
    const { baseUrl, requests } = await startMockApi(() => replies.shift() ?? '')
    const v3 = createV3Client({ baseUrl, rps: Infinity, retry: { minDelayMs: 1 } })
    await v3.emulateTrace({ boc })
    expect(requests).toHaveLength(2)
  })
})

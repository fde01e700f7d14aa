import { canonicalAddress, parsePayload } from '@tonplug/core'
import { readTestdata } from '@tonplug/test-support/testdata'
import { describe, expect, it } from 'vitest'
import { transferCompleted, transferFailed, transferRefunded } from './payloads.js'

const USDT = 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs'
/** Returns a sample of the gateway's documentation, with placeholders for addresses and hashes. */
function readSample(name: 'success' | 'failed'): { data: object } {
  // The documentation shows one JSON object.
  return JSON.parse(readTestdata(`ton-pay/webhook.${name}.documented.json`)) as { data: object }
}

describe('payload builders', () => {
  it('build a successful transfer with every documented field', () => {
    const { data } = transferCompleted()
    expect(Object.keys(data)).toEqual(Object.keys(readSample('success').data))
    expect(data).toMatchObject({ status: 'success', amount: '10.5', rawAmount: '10500000000' })
    expect(canonicalAddress(data.senderAddr)).not.toBe(canonicalAddress(data.recipientAddr))
    expect(Buffer.from(data.bodyBase64Hash, 'base64')).toHaveLength(32)
  })
  it('build a failed transfer with the documented error', () => {
    const failed = transferFailed({ reference: 'order-2' }).data
    expect(Object.keys(failed)).toEqual(Object.keys(readSample('failed').data))
    expect(failed).toEqual({
      ...transferCompleted({ reference: 'order-2' }).data,
      status: 'failed',
      errorCode: 36,
      errorMessage: 'Not enough TON',
    })
  })
  it('apply overrides last', () => {
    expect(transferFailed({ errorCode: 7, rawAmount: '1' }).data).toMatchObject({
      errorCode: 7,
      rawAmount: '1',
    })
  })
  it.each([
    [{ rawAmount: '5000000000' }, { amount: '5', rawAmount: '5000000000' }],
    [{ rawAmount: '1' }, { amount: '0.000000001', rawAmount: '1' }],
    [{ amount: '2.25' }, { amount: '2.25', rawAmount: '2250000000' }],
    [
      { asset: USDT, rawAmount: '19990000' },
      { amount: '19.99', rawAmount: '19990000' },
    ],
    [
      { asset: canonicalAddress(USDT), amount: '25' },
      { amount: '25', rawAmount: '25000000' },
    ],
    [
      { amount: '3', rawAmount: '4' },
      { amount: '3', rawAmount: '4' },
    ],
    [{ rawAmount: '1e10' }, { amount: '10.5', rawAmount: '1e10' }],
    [{ amount: 'ten' }, { amount: 'ten', rawAmount: '10500000000' }],
    [{ asset: USDT }, { amount: '10.5', rawAmount: '10500000000' }],
  ])('compute the other amount: %j', (given, expected) => {
    expect(transferCompleted(given).data).toMatchObject(expected)
    expect(transferFailed(given).data).toMatchObject(expected)
  })
  it('match the schema of core', () => {
    for (const payload of [transferCompleted(), transferFailed(), transferRefunded({ id: 1 })]) {
      expect(parsePayload(JSON.stringify(payload))).toEqual(payload)
    }
    expect(transferRefunded()).toMatchObject({ event: 'transfer.refunded', data: {} })
  })
})

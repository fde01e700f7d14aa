import { canonicalAddress, parsePayload } from '@tonplug/core'
import { describe, expect, it } from 'vitest'
import { transferCompleted, transferFailed, transferRefunded } from './payloads.js'

const DOCUMENTED_FIELDS = [
  'amount',
  'rawAmount',
  'senderAddr',
  'recipientAddr',
  'asset',
  'assetTicker',
  'status',
  'reference',
  'bodyBase64Hash',
  'txHash',
  'traceId',
  'commentToSender',
  'commentToRecipient',
  'date',
]

describe('payload builders', () => {
  it('build a successful transfer with every documented field', () => {
    const { data } = transferCompleted()
    expect(Object.keys(data)).toEqual(DOCUMENTED_FIELDS)
    expect(data).toMatchObject({ status: 'success', amount: '10.5', rawAmount: '10500000000' })
    expect(canonicalAddress(data.senderAddr)).not.toBe(canonicalAddress(data.recipientAddr))
    expect(Buffer.from(data.bodyBase64Hash, 'base64')).toHaveLength(32)
  })
  it('build a failed transfer with the documented error', () => {
    expect(transferFailed({ reference: 'order-2' }).data).toEqual({
      ...transferCompleted({ reference: 'order-2' }).data,
      status: 'failed',
      errorCode: 36,
      errorMessage: 'Not enough TON',
    })
  })
  it('take overrides last', () => {
    expect(transferFailed({ errorCode: 7, rawAmount: '1' }).data).toMatchObject({
      errorCode: 7,
      rawAmount: '1',
    })
  })
  it('build what core reads', () => {
    for (const payload of [transferCompleted(), transferFailed(), transferRefunded({ id: 1 })]) {
      expect(parsePayload(JSON.stringify(payload))).toEqual(payload)
    }
    expect(transferRefunded()).toMatchObject({ event: 'transfer.refunded', data: {} })
  })
})

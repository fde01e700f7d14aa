import { beginCell, comment, type Cell } from '@ton/core'
import { describe, expect, it } from 'vitest'
import { namedRefund, sentRefunds } from './named-refund.js'

const txHash = '0a'.repeat(32)
const otherHash = 'f1'.repeat(32)
const refund = comment(`refund ${txHash}`)

type Messages = Parameters<typeof sentRefunds>[0]['out_msgs']

/** Messages with these bodies; `undefined` is a body that the index does not return. */
function messages(...bodies: (Cell | undefined)[]): Messages {
  return bodies.map((body) => ({
    value: 2n,
    message_content: body && { body: body.toBoc().toString('base64') },
  })) as unknown as Messages
}

/** A request of a jetton transfer with a comment for the recipient. */
function jettonTransfer(text: string): Cell {
  return beginCell()
    .storeUint(0x0f8a7ea5, 32)
    .storeUint(0, 64)
    .storeCoins(5)
    .storeAddress(null)
    .storeAddress(null)
    .storeBit(0)
    .storeCoins(1)
    .storeBit(1)
    .storeRef(comment(text))
    .endCell()
}

describe('the refund that a comment names', () => {
  it('has the hash of the payment and the amount of the transfer', () => {
    expect(namedRefund(`refund ${txHash}`, 7n)).toEqual([{ txHash, rawAmount: 7n }])
  })

  it.each([
    undefined,
    '',
    txHash,
    `refund ${txHash.toUpperCase()}`,
    `refund ${txHash} `,
    ` refund ${txHash}`,
    `refund ${txHash}0`,
  ])('is absent in %o', (text) => {
    expect(namedRefund(text, 7n)).toEqual([])
  })
})

describe('the refunds that a transaction sends', () => {
  it('are an empty list without messages', () => {
    expect(sentRefunds({ out_msgs: [] })).toEqual([])
  })

  it('include native coins and jettons, in the order of the messages', () => {
    const sent = messages(refund, comment('thanks'), jettonTransfer(`refund ${otherHash}`))
    expect(sentRefunds({ out_msgs: sent })).toEqual([
      { txHash, rawAmount: 2n },
      { txHash: otherHash, rawAmount: 5n },
    ])
  })

  it('leave out a message that is a bounce', () => {
    const bounced = messages(refund).map((message) => ({ ...message, bounced: true }))
    expect(sentRefunds({ out_msgs: bounced })).toEqual([])
  })

  it('leave out a bounce whose body is missing', () => {
    const bounced = messages(undefined).map((message) => ({ ...message, bounced: true }))
    expect(sentRefunds({ out_msgs: bounced })).toEqual([])
  })

  it('are unknown when one body is missing', () => {
    expect(sentRefunds({ out_msgs: messages(refund, undefined) })).toBeUndefined()
  })

  it('are unknown when a message has no content with a body', () => {
    const empty = [{ message_content: {} }] as unknown as Messages
    expect(sentRefunds({ out_msgs: empty })).toBeUndefined()
  })

  it('leave out a body that cannot be read', () => {
    const broken = [{ message_content: { body: 'AAAA' } }] as unknown as Messages
    expect(sentRefunds({ out_msgs: [...broken, ...messages(refund)] })).toEqual([
      { txHash, rawAmount: 2n },
    ])
  })
})

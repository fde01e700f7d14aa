import { Address, Cell } from '@ton/core'
import { describe, expect, it } from 'vitest'
import { transferCompleted } from '../payloads.js'
import { writeMessage } from './message.js'

const USDT = 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs'
const { senderAddr, recipientAddr } = transferCompleted().data
const facts = {
  reference: 'order-1',
  rawAmount: 10_500_000_000n,
  asset: 'TON',
  senderAddr,
  recipientAddr,
  queryId: 0n,
}

function readBody(payload: string, bodyBase64Hash: string): Cell {
  const cell = Cell.fromBase64(payload)
  expect(cell.hash().toString('base64')).toBe(bodyBase64Hash)
  return cell
}

describe('writeMessage, read by @ton/core', () => {
  it.each(['Thank you!', '', 'не хватает 💎 '.repeat(40), 'x'.repeat(123), 'x'.repeat(4000)])(
    'has a comment and the hash of the body',
    (commentToRecipient) => {
      const { message, bodyBase64Hash } = writeMessage({ ...facts, commentToRecipient })
      expect(message).toMatchObject({ address: recipientAddr, amount: '10500000000' })
      const slice = readBody(message.payload, bodyBase64Hash).beginParse()
      expect(slice.loadUint(32)).toBe(0)
      expect(slice.loadStringTail()).toBe(`${commentToRecipient} order-1`)
    },
  )
  it.each([0n, 1n, 255n, 256n, 2n ** 119n])('transfers %i of a jetton', (rawAmount) => {
    const queryId = 2n ** 64n - 1n
    const { message, bodyBase64Hash } = writeMessage({ ...facts, rawAmount, queryId, asset: USDT })
    const slice = readBody(message.payload, bodyBase64Hash).beginParse()
    expect(slice.loadUint(32)).toBe(0x0f8a7ea5)
    expect(slice.loadUintBig(64)).toBe(queryId)
    expect(slice.loadCoins()).toBe(rawAmount)
    expect(slice.loadAddress().equals(Address.parse(recipientAddr))).toBe(true)
    expect(slice.loadAddress().equals(Address.parse(senderAddr))).toBe(true)
    expect(slice.loadBit()).toBe(false)
    expect(slice.loadCoins()).toBe(1n)
    expect(slice.loadBit()).toBe(true)
    const comment = slice.loadRef().beginParse()
    slice.endParse()
    comment.loadUint(32)
    expect(comment.loadStringTail()).toBe('order-1')
    expect(Address.parse(message.address).workChain).toBe(0)
  })
  it('has another body for each reference, and another jetton wallet for each buyer', () => {
    const other = { ...facts, reference: 'order-2', senderAddr: recipientAddr, asset: USDT }
    const [one, two] = [writeMessage({ ...facts, asset: USDT }), writeMessage(other)]
    expect(one.bodyBase64Hash).not.toBe(two.bodyBase64Hash)
    expect(one.message.address).not.toBe(two.message.address)
  })
})

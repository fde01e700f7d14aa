import { beginCell, type Cell } from '@ton/core'
import { describe, expect, it } from 'vitest'
import type { Transaction } from '../../../toncenter/v3/schemas/transaction.js'
import { jettonMovement } from './jetton-movement.js'
import { changeOf } from './movement.js'

const BOUNCED = 0xffffffff
const AMOUNT = 2n ** 100n

/** Returns a transaction of a jetton wallet with new data. */
function received(body: Cell, given: { aborted?: boolean; data?: string } = {}): Transaction {
  const { aborted = false, data = 'new' } = given
  return {
    description: { type: 'ord', aborted, compute_ph: { success: !aborted } },
    in_msg: { message_content: { body: body.toBoc().toString('base64') } },
    account_state_before: { data_hash: 'old' },
    account_state_after: { data_hash: data },
    // The fields that are read.
  } as unknown as Transaction
}

/** Writes a body with the fields that all messages about jettons have, behind opcodes. */
function request(...opcodes: number[]): Cell {
  const body = beginCell()
  for (const opcode of opcodes) body.storeUint(opcode, 32)
  return body.storeUint(7, 64).storeCoins(AMOUNT).endCell()
}

describe('the movement of a jetton wallet', () => {
  it.each<[string, bigint, Cell]>([
    ['an internal transfer', AMOUNT, request(0x178d4519)],
    ['a burn', -AMOUNT, request(0x595f07bc)],
    ['an internal transfer that came back', AMOUNT, request(BOUNCED, 0x178d4519)],
    ['a burn that came back', AMOUNT, request(BOUNCED, 0x7bdd97de)],
    ['a notification that came back', 0n, request(BOUNCED, 0x7362d09c)],
  ])('counts %s as %d, and a failed one as nothing', (_, change, body) => {
    expect(changeOf(jettonMovement(received(body)))).toBe(change)
    expect(changeOf(jettonMovement(received(body, { aborted: true })))).toBe(0n)
  })

  it('names an unknown opcode only if the data have changed', () => {
    const body = request(0x12345678)
    expect(jettonMovement(received(body)).unknownOpcode).toBe('0x12345678')
    expect(jettonMovement(received(body, { data: 'old' })).unknownOpcode).toBeUndefined()
    expect(jettonMovement(received(body, { aborted: true })).unknownOpcode).toBeUndefined()
  })
})

import { beginCell } from '@ton/core'
import { describe, expect, it } from 'vitest'
import { ConfigurationError } from '../../../shared/configuration-error.js'
import { checkedCells, type CellReaderClient } from './checked-cells.js'
import type { ShownCredit } from './credit-witness.js'

const [payer, ours] = ['1', '2'].map((digit) => `0:${digit.repeat(64)}`) as [string, string]
const HASH = 'a'.repeat(64)

const claim: ShownCredit = {
  account: ours,
  wallet: ours,
  asset: 'TON',
  rawAmount: 5n,
  utime: 7,
  route: [
    {
      hash: HASH,
      sender: payer,
      recipient: ours,
      value: 5n,
      transaction: { hash: HASH, lt: 8n },
    },
  ],
}

/** Compares a claim with the answer of a server. */
function compare(getTransactions: () => Promise<unknown>, signal?: AbortSignal) {
  const v2 = { getTransactions, runGetMethod: () => undefined } as unknown as CellReaderClient
  return checkedCells({ v2 }).compare(claim, { signal })
}

describe('checked cells', () => {
  it('are pending when the server has no transaction, fails, or answers no cell', async () => {
    expect(await compare(async () => [])).toEqual({
      kind: 'pending',
      reason: 'not_found',
      detail: `the server has no transaction ${HASH}`,
    })
    const outage = new ConfigurationError({ option: 'v2', problem: 'must respond' })
    expect(await compare(() => Promise.reject(outage))).toMatchObject({
      kind: 'pending',
      reason: 'unreachable',
      detail: expect.stringContaining('must respond'),
    })
    expect(await compare(() => Promise.reject(new TypeError('a defect')))).toMatchObject({
      reason: 'unreachable',
      detail: 'API v2 failed unexpectedly',
    })
    expect(await compare(async () => [{ data: 'AAAA' }])).toMatchObject({
      kind: 'pending',
      reason: 'incomplete',
    })
  })

  it('differ when the cell has another hash', async () => {
    const data = beginCell().endCell().toBoc().toString('base64')
    expect(await compare(async () => [{ data }])).toMatchObject({ kind: 'differs' })
  })

  it('throw the reason of an aborted look', async () => {
    const controller = new AbortController()
    const abort = async () => {
      controller.abort(new Error('closed'))
      return []
    }
    const failed = async () => {
      await abort()
      throw new Error('no connection')
    }
    await expect(compare(failed, controller.signal)).rejects.toThrow('closed')
  })
})

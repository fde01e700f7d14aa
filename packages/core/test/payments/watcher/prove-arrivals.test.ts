import { ConfigurationError } from '@tonplug/core'
import { createTestLogger } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import type { JettonTransfer } from '../../../src/toncenter/chain/token-transfers.js'
import type { RouteMessage } from '../../../src/payments/ledger/credit.js'
import { indexOrders, type WatchedOrder } from '../../../src/payments/watcher/open-orders.js'
import type { Arrival } from '../../../src/payments/watcher/proof/credits-of.js'
import type { WalletVerdict } from '../../../src/payments/watcher/proof/jetton-wallets.js'
import { proveArrivals, type ProvingRun } from '../../../src/payments/watcher/prove-arrivals.js'

const raw = (fill: string): string => `0:${fill.repeat(64)}`
const [shop, payer, wallet, fakeWallet, master, otherMaster] = ['a', 'b', 'c', 'd', 'e', 'f'].map(
  raw,
) as [string, string, string, string, string, string]

/** A transfer to a jetton wallet, which the index attributes to the master unless told otherwise. */
function arrival(account: string, jetton: string | undefined = master): Arrival {
  const message: RouteMessage = {
    hash: '1'.repeat(64),
    sender: payer,
    recipient: account,
    value: 1n,
    comment: 'order-1',
    transaction: '2'.repeat(64),
    fees: 0n,
    isShared: false,
    isCommentEncrypted: false,
  }
  const transfer: JettonTransfer = {
    kind: 'jetton',
    hash: 'request',
    sender: payer,
    recipient: shop,
    queryId: 0n,
    value: 1n,
    forwardAmount: 0n,
    outcome: 'arrived',
    amount: 1n,
    jetton,
    senderWallet: payer,
    recipientWallet: account,
    receivedIn: 'ab',
  }
  const facts = { txHash: '2'.repeat(64), traceId: '', utime: 0, rawAmount: 1n }
  return { account, wallet: shop, ...facts, route: [message], transfer }
}

/** The order that the arrivals name. */
const ORDER: WatchedOrder = {
  reference: 'order-1',
  merchant: '',
  recipients: [shop],
  offers: [{ asset: master, rawAmount: 1n }],
  bodyHash: undefined,
  comment: 'order-1',
  amounts: [],
  createdMs: 0,
  isOpen: true,
}

interface Proving {
  namedBy?: string
  verdict?: WalletVerdict
  /** The orders that each arrival names. */
  orders?: WatchedOrder[]
  /** Other open orders. */
  listed?: WatchedOrder[]
  failure?: Error
  signal?: AbortSignal
}

/** Proves arrivals by masters; one names the genuine wallet. @returns also how many contracts were asked */
async function prove(
  arrivals: readonly Arrival[],
  {
    namedBy = master,
    verdict = 'confirmed',
    orders = [ORDER],
    listed = [],
    failure,
    signal,
  }: Proving = {},
) {
  const asked = new Set<string>()
  const logger = createTestLogger()
  const run: ProvingRun = {
    orders: indexOrders([ORDER, ...listed]),
    named: { find: () => [[], orders, [], []] },
    logger,
    request: { signal },
    jettonWallets: {
      find: async ({ master: one }) => {
        asked.add(one)
        if (failure !== undefined) throw failure
        return one === namedBy ? wallet : raw('9')
      },
      confirm: async (_, one) => {
        asked.add(one)
        return verdict
      },
    },
  }
  const { jettonWallets, isUnsettled } = await proveArrivals(arrivals, run)
  return { proven: [...jettonWallets], isUnsettled, asked: asked.size }
}

describe('the jetton wallets of a trace', () => {
  it('S93 are proven without a fake one beside them, in any order', async () => {
    const [genuine, fake] = [arrival(wallet), arrival(fakeWallet)]
    for (const arrivals of [
      [genuine, fake],
      [fake, genuine],
    ]) {
      const result = { proven: [[wallet, master]], isUnsettled: false, asked: 2 }
      expect(await prove(arrivals)).toEqual(result)
    }
  })

  it('S93 cost three requests at most, however many jettons the index names', async () => {
    const fakes = Array.from({ length: 9 }, (_, index) => arrival(raw(`${index}`), raw(`${index}`)))
    expect(await prove(fakes, { namedBy: raw('9') })).toEqual({
      proven: [],
      isUnsettled: false,
      asked: 3,
    })
  })

  it('S93 are proven although the index names jettons of other orders before', async () => {
    const others = ['1', '2', '3'].map(raw)
    const listed = others.map((asset) => ({ ...ORDER, offers: [{ asset, rawAmount: 1n }] }))
    const before = others.map((asset) => arrival(asset, asset))
    const arrivals = [...before, arrival(wallet, otherMaster)]
    const { proven } = await prove(arrivals, { namedBy: otherMaster, listed })
    expect(proven).toEqual([[wallet, otherMaster]])
  })

  it('are proven by the master of another jetton that the index names', async () => {
    const result = { proven: [[wallet, otherMaster]], isUnsettled: false, asked: 3 }
    expect(await prove([arrival(wallet, otherMaster)], { namedBy: otherMaster })).toEqual(result)
  })

  it('S107 are left out when the wallet that the master names is of another jetton', async () => {
    const result = { proven: [], isUnsettled: false, asked: 2 }
    expect(await prove([arrival(wallet)], { verdict: 'denied' })).toEqual(result)
  })

  it('are unsettled while the node has no contract at the wallet that was credited', async () => {
    const result = { proven: [], isUnsettled: true, asked: 2 }
    expect(await prove([arrival(wallet)], { verdict: 'undeployed' })).toEqual(result)
  })

  it('are unsettled while the index names no jetton for a wallet that is not of the order', async () => {
    const unknown = arrival(fakeWallet)
    const transfer = { ...unknown.transfer, jetton: undefined } as JettonTransfer
    const result = { proven: [], isUnsettled: true, asked: 1 }
    expect(await prove([{ ...unknown, transfer }])).toEqual(result)
  })

  it('cost no request when they name no order, and no order asks for their jetton', async () => {
    const stranger = arrival(wallet, otherMaster)
    const result = { proven: [], isUnsettled: false, asked: 0 }
    expect(await prove([stranger], { orders: [] })).toEqual(result)
    const elsewhere = [{ ...ORDER, recipients: [payer] }]
    expect(await prove([stranger], { orders: elsewhere })).toEqual(result)
  })

  it('are proven for an order that they do not name, if it asks for their jetton', async () => {
    const result = { proven: [[wallet, master]], isUnsettled: false, asked: 2 }
    expect(await prove([arrival(wallet)], { orders: [] })).toEqual(result)
  })

  it('are unsettled while a master cannot be asked', async () => {
    const failure = new ConfigurationError({ option: 'v3', problem: 'must respond' })
    const result = { proven: [], isUnsettled: true, asked: 1 }
    expect(await prove([arrival(wallet)], { failure })).toEqual(result)
  })

  it('are left to the caller after an unexpected error, and when the run was aborted', async () => {
    const failure = new TypeError('a defect')
    await expect(prove([arrival(wallet)], { failure })).rejects.toBe(failure)
    const outage = new ConfigurationError({ option: 'v3', problem: 'must respond' })
    const signal = AbortSignal.abort(new Error('closed'))
    await expect(prove([arrival(wallet)], { failure: outage, signal })).rejects.toThrow('closed')
  })
})

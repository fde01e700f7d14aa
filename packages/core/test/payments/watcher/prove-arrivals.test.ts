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

/** Proves arrivals by masters; one names the genuine wallet. @returns also how many contracts were asked */
async function prove(
  arrivals: readonly Arrival[],
  { namedBy = master, verdict = 'confirmed' }: { namedBy?: string; verdict?: WalletVerdict } = {},
) {
  const asked = new Set<string>()
  const run: ProvingRun = {
    orders: indexOrders([ORDER]),
    named: { find: () => [[], [ORDER], [], []] },
    logger: createTestLogger(),
    request: {},
    jettonWallets: {
      find: async ({ master: one }) => {
        asked.add(one)
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
})

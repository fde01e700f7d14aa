import { createTestLogger } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import type { JettonTransfer } from '../../src/chain/token-transfers.js'
import type { WalletVerdict } from '../../src/watcher/proof/jetton-wallets.js'
import { verifyJettons } from '../../src/watcher/read-credit.js'

const raw = (fill: string): string => `0:${fill.repeat(64)}`
const [shop, payer, wallet, fakeWallet, master] = ['A', 'B', 'C', 'D', 'E'].map(raw) as [
  string,
  string,
  string,
  string,
  string,
]
const otherMaster = raw('F')
const claim = { reference: 'order-1', recipient: shop.toLowerCase(), asset: master.toLowerCase() }

/** A transfer that arrived, which the index attributes to the master unless told otherwise. */
const transfer = (
  amount: bigint,
  recipientWallet: string,
  jetton: string | undefined = master,
): JettonTransfer => ({
  kind: 'jetton',
  hash: `${amount}`,
  sender: payer,
  recipient: shop,
  queryId: 0n,
  value: 1n,
  forwardAmount: 0n,
  outcome: 'arrived',
  amount,
  jetton,
  senderWallet: payer,
  recipientWallet,
  receivedIn: 'ab',
})

/** Returns the amounts that are verified when one master names the wallet, and how many contracts were asked. */
async function verify(
  transfers: readonly JettonTransfer[],
  { namedBy = master, verdict = 'confirmed' }: { namedBy?: string; verdict?: WalletVerdict } = {},
) {
  const asked: string[] = []
  const verified = await verifyJettons(transfers, claim, {
    logger: createTestLogger(),
    request: {},
    jettonWallets: {
      find: async ({ master: one }) => {
        asked.push(one)
        return one === namedBy.toLowerCase() ? wallet.toLowerCase() : raw('9')
      },
      confirm: async (_, one) => {
        asked.push(one)
        return verdict
      },
    },
  })
  const amounts =
    typeof verified === 'object' ? verified.transfers.map(({ amount }) => amount) : verified
  return { amounts, asked: asked.length }
}

describe('the jetton transfers of one message', () => {
  it('S93 count without those to a fake wallet beside them, in any order', async () => {
    const [genuine, fake] = [transfer(1n, wallet), transfer(1_000_000n, fakeWallet)]
    for (const transfers of [
      [genuine, fake],
      [fake, genuine],
    ]) {
      expect(await verify(transfers)).toEqual({ amounts: [1n], asked: 2 })
    }
  })

  it('are verified with two requests at most, however many jettons the index names', async () => {
    const transfers = Array.from({ length: 9 }, (_, index) =>
      transfer(1n, fakeWallet, raw(`${index}`)),
    )
    expect(await verify(transfers)).toEqual({ amounts: undefined, asked: 2 })
  })

  it('may be in another jetton, which its own master confirms', async () => {
    const other = transfer(7n, wallet, otherMaster)
    expect(await verify([other], { namedBy: otherMaster })).toEqual({ amounts: [7n], asked: 3 })
  })

  it('S107 are ignored when the wallet that the master names is of another jetton', async () => {
    const denied = { verdict: 'denied' } as const
    expect(await verify([transfer(7n, wallet)], denied)).toEqual({ amounts: undefined, asked: 2 })
  })

  it('are unsettled while the node has no contract at the wallet that was credited', async () => {
    const behind = { verdict: 'undeployed' } as const
    expect(await verify([transfer(7n, wallet)], behind)).toEqual({ amounts: 'unsettled', asked: 2 })
  })

  it('are unsettled while the index names no jetton for a wallet that is not of the order', async () => {
    const unknown = { ...transfer(7n, fakeWallet), jetton: undefined }
    expect(await verify([unknown])).toEqual({ amounts: 'unsettled', asked: 1 })
  })
})

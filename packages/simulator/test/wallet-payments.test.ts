import { createShopAccounts, type ChainSimulator, type SimulatedWallet } from '@tonplug/simulator'
import { describe, expect, it } from 'vitest'
import { startChain } from './start-chain.js'

/** Returns the link for an amount to a wallet. */
function linkFor({ address }: SimulatedWallet, amount: bigint): string {
  return `ton://transfer/${address.toString({ bounceable: false })}?amount=${amount}&text=order`
}

async function balanceOf(chain: ChainSimulator, { address }: SimulatedWallet): Promise<bigint> {
  return (await chain.account(address)).balance
}

describe('payments of a wallet', () => {
  it('pays several links in one transaction', async () => {
    const chain = await startChain()
    const [exchange, shop, customer] = [
      await chain.createWallet({ version: 'v3r2' }),
      await chain.createWallet({ balance: 0n }),
      await chain.createWallet({ balance: 0n }),
    ]
    const { transaction } = await exchange.pay(linkFor(shop, 5_000n), {
      batch: [linkFor(customer, 7_000n)],
    })
    expect(transaction.outMessagesCount).toBe(2)
    expect([await balanceOf(chain, shop), await balanceOf(chain, customer)]).toEqual([
      5_000n,
      7_000n,
    ])
  })

  it.each([0n, 1_000_000_000n])(
    'pays by a relay, which sends and pays the fees, from a wallet with %i nanocoins',
    async (balance) => {
      const chain = await startChain()
      const { merchant, usdt } = await createShopAccounts(chain)
      const [payer, relay] = [await chain.createWallet({ balance }), await chain.createWallet()]
      await usdt.mint(payer.address, 2_500_000n)
      const before = await balanceOf(chain, payer)
      const jetton = usdt.master.toString()
      const sent = await payer.pay(`${linkFor(merchant, 2_000_000n)}&jetton=${jetton}`, { relay })
      expect(sent.address.equals(relay.address)).toBe(true)
      expect(await usdt.balanceOf(merchant.address)).toBe(2_000_000n)
      expect(await usdt.balanceOf(payer.address)).toBe(500_000n)
      expect(await balanceOf(chain, payer)).toBeGreaterThanOrEqual(before)
    },
  )

  it('rejects a relay for a wallet that accepts none', async () => {
    const chain = await startChain()
    const [payer, relay] = [await chain.createWallet({ version: 'v4' }), await chain.createWallet()]
    await expect(payer.pay(linkFor(relay, 1n), { relay })).rejects.toThrow('version v5')
  })
})

describe('mineEmptyBlock', () => {
  it('mines a block without transactions, and leaves pending messages pending', async () => {
    const chain = await startChain()
    const [payer, shop] = [await chain.createWallet(), await chain.createWallet({ balance: 0n })]
    chain.isHolding = true
    void payer.pay(linkFor(shop, 1n))
    await expect.poll(() => chain.pool.length).toBe(1)
    const last = chain.blocks.at(-1)!
    await chain.mineEmptyBlock()
    const block = chain.blocks.at(-1)!
    expect([block.seqno, block.transactions]).toEqual([last.seqno + 1, []])
    expect(block.startLt).toBeGreaterThan(last.endLt)
    expect(chain.pool).toHaveLength(1)
    await chain.mine()
    expect(await balanceOf(chain, shop)).toBe(1n)
    expect(chain.blocks.at(-2)?.startLt).toBeGreaterThan(block.endLt)
  })

  it('keeps no more blocks than maxTransactions', async () => {
    const chain = await startChain({ maxTransactions: 3 })
    for (let count = 0; count < 6; count++) await chain.mineEmptyBlock()
    expect(chain.blocks).toHaveLength(3)
  })
})

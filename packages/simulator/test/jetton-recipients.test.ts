import { createInvoice, type InvoiceOptions } from '@tonplug/core'
import type { Fetch } from '@tonplug/core/toncenter'
import { describe, expect, it } from 'vitest'
import { openInvoices } from './invoice-shop.js'

type Shop = Awaited<ReturnType<typeof openInvoices>>

/** Opens a shop whose merchant has USDT. Returns the addresses that people confuse with a wallet. */
async function openShop(mistake: 'wallet' | 'master') {
  const shop = await openInvoices()
  await shop.usdt.mint(shop.merchant.address, 5n)
  const { usdt, merchant } = shop
  const address = mistake === 'wallet' ? usdt.walletOf(merchant.address) : usdt.master
  return { shop, wallet: address.toString() }
}

function create({ usdt, v3, clock }: Shop, given: Partial<InvoiceOptions>) {
  const options = { asset: usdt.master.toString(), rawAmount: 5n, v3, clock, ...given }
  return createInvoice(options as InvoiceOptions)
}

describe('a contract of a jetton', () => {
  it.each(['wallet', 'master'] as const)(
    'is refused as the wallet of an invoice: a jetton %s',
    async (mistake) => {
      const { shop, wallet } = await openShop(mistake)
      for (const decimals of [undefined, 6]) {
        await expect(create(shop, { wallet, decimals })).rejects.toMatchObject({
          code: 'ERR_TONPLUG_CONFIGURATION',
          details: { option: 'wallet' },
          message: expect.stringContaining(
            mistake === 'master'
              ? 'is the master of a jetton'
              : `is the jetton wallet of ${shop.merchant.address.toRawString()}`,
          ),
        })
      }
    },
  )

  it.each(['wallet', 'master'] as const)(
    'is refused by the watcher as a wallet of Payments: a jetton %s',
    async (mistake) => {
      const { shop, wallet } = await openShop(mistake)
      const other = await openInvoices({ payments: { wallets: [wallet] }, v3: shop.v3 })
      const problem = expect.stringContaining('wallets: must be the wallet of a person')
      expect(await other.watcher.run()).toMatchObject({ isComplete: false, problem })
      other.watcher.start()
      await other.clock.advance(3000)
      await expect
        .poll(() => other.watcher.health())
        .toMatchObject({ status: 'down', message: problem, isComplete: false })
    },
  )
})

describe('the wallet of an invoice', () => {
  it('is looked up once, deployed or not', async () => {
    const shop = await openInvoices()
    const { requests } = shop.chain.v3Server
    const asked = () => requests.filter(({ path }) => path === '/runGetMethod').length
    const wallet = shop.merchant.address.toString()
    for (let count = 0; count < 3; count++) await create(shop, { wallet })
    expect(asked()).toBe(1)
    const payer = await shop.payer()
    await payer.send([])
    for (let count = 0; count < 3; count++) {
      await create(shop, { wallet: payer.address.toString() })
    }
    expect(asked()).toBe(3)
  })

  it('is accepted while API v3 cannot run get-methods, and looked up again a minute later', async () => {
    const shop = await openInvoices()
    let asked = 0
    shop.chain.v3Server.fault = ({ path }) => {
      if (path !== '/runGetMethod') return undefined
      asked++
      return { status: 403, body: '{"error":"no"}' }
    }
    const wallet = shop.merchant.address.toString()
    const createMany = async () => {
      for (let count = 0; count < 3; count++) await create(shop, { wallet })
    }
    await createMany()
    expect(asked).toBe(1)
    await shop.clock.advance(60_000)
    await createMany()
    expect(asked).toBe(2)
  })

  it('does not keep the watcher from finding payments while get-methods hang', async () => {
    const hanging: Fetch = (url, init) => {
      if (String(url).includes('/runGetMethod')) return new Promise(() => undefined)
      return fetch(url as string, init as RequestInit)
    }
    const wallets = Array.from({ length: 20 }, (_, n) => `0:${n.toString(16).padStart(64, '0')}`)
    const unproven = { verifyOnChain: undefined, wallets }
    const shop = await openInvoices({ fetch: hanging, payments: unproven })
    const { link } = await shop.open({ asset: 'TON', amount: '2' })
    await (await shop.payer()).pay(link)
    await shop.pass(120)
    const run = shop.watcher.run()
    await shop.clock.advance(3000)
    expect((await run).decisions).toEqual({ paid: 1 })
  })
})

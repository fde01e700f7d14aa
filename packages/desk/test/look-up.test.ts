import { internal } from '@ton/core'
import { createV3Client } from '@tonplug/core/toncenter'
import type { ChainLookUp, TransferPage } from '@tonplug/desk'
import { expect, it } from 'vitest'
import { addOrder, openChain, openDeskShop, type DeskShop } from './browser/desk-shop.js'
import { sessionOf } from './shop.js'

/** A shop with the order `order-1`, and a customer who has sent 10.5 TON to the shop and 1 TON to another wallet. */
async function openPaidShop() {
  const { chain, buyer, merchant, urls } = await openChain()
  const wallet = merchant.address.toString()
  const shop = await openDeskShop({ v3: urls.chain, wallets: [wallet] })
  addOrder(shop, 'order-1')
  const v3 = createV3Client({ baseUrl: urls.chain, rps: Infinity })
  const send = async (to: string, value: bigint): Promise<string> => {
    await buyer.send([internal({ to, value, body: 'order-1', bounce: false })])
    await chain.mine()
    const account = [buyer.address.toString()]
    const { transactions } = await v3.transactions({ account, limit: 1, sort: 'desc' })
    return String(transactions[0]?.hash)
  }
  return {
    shop,
    paid: await send(wallet, 10_500_000_000n),
    elsewhere: await send(`0:${'0d'.repeat(32)}`, 1_000_000_000n),
  }
}

async function lookUp({ url }: DeskShop, hash: unknown, changes = {}): Promise<Response> {
  const { token, cookie } = await sessionOf(await fetch(`${url}api/session`))
  const headers = { 'content-type': 'application/json', 'x-csrf-token': token, cookie, ...changes }
  return fetch(`${url}api/look-up`, { method: 'POST', headers, body: JSON.stringify({ hash }) })
}

async function found(shop: DeskShop, hash: unknown): Promise<ChainLookUp> {
  return (await (await lookUp(shop, hash)).json()) as ChainLookUp
}

async function search({ url }: DeskShop, text: string): Promise<TransferPage> {
  const response = await fetch(`${url}api/transfers?search=${encodeURIComponent(text)}`)
  return (await response.json()) as TransferPage
}

it('finds money on the chain that the shop has not recorded, and the payment once it has', async () => {
  const { shop, paid } = await openPaidShop()
  expect((await search(shop, paid)).unknownHash).toBe(paid)
  const before = await found(shop, paid)
  expect(before).toMatchObject({ isMissing: true, payments: [], paidAtMs: expect.any(Number) })
  expect(before.sentences[0]).toMatch(
    /^10\.5 TON was sent from .*….* to .*….*, a wallet of this shop, with the comment “order-1”\. It arrived\.$/,
  )
  expect(before.sentences.at(-1)).toContain('look at the chain now')
  await shop.look()
  // The shop has recorded the transaction of its own wallet; the customer names another one of the same payment.
  expect((await search(shop, paid)).transfers).toEqual([])
  const after = await found(shop, paid)
  expect(after).toMatchObject({ isMissing: false, payments: [{ reference: 'order-1' }] })
})

it('says that money went to another wallet, and that the chain lacks a hash', async () => {
  const { shop, elsewhere } = await openPaidShop()
  const { sentences, isMissing } = await found(shop, elsewhere)
  expect(isMissing).toBe(false)
  expect(sentences.join(' ')).toContain('not a wallet of this shop')
  expect(sentences.join(' ')).toContain('The shop does not have this money.')
  const unknown = await found(shop, 'ab'.repeat(32))
  expect(unknown).toMatchObject({ payments: [] })
  expect(unknown.sentences[0]).toContain('no transaction or message with this hash')
})

it('refuses a part of a hash, and a request of another site', async () => {
  const { shop, paid } = await openPaidShop()
  expect((await lookUp(shop, 'abcdef')).status).toBe(400)
  expect((await lookUp(shop, undefined)).status).toBe(400)
  expect((await lookUp(shop, paid, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  const { unknownHash } = await search(shop, paid.slice(0, 12))
  expect(unknownHash).toBeUndefined()
})

it('finds the money of the shop behind six other transfers of an exchange', async () => {
  const { chain, buyer, merchant, urls } = await openChain()
  const wallet = merchant.address.toString()
  const shop = await openDeskShop({ v3: urls.chain, wallets: [wallet] })
  addOrder(shop, 'order-1')
  const send = (to: string, value: bigint) =>
    internal({ to, value, body: 'order-1', bounce: false })
  const others = Array.from({ length: 6 }, (_, n) => send(`0:${`0${n + 1}`.repeat(32)}`, 10n ** 9n))
  await buyer.send([...others, send(wallet, 10_500_000_000n)])
  await chain.mine()
  const v3 = createV3Client({ baseUrl: urls.chain, rps: Infinity })
  const account = [buyer.address.toString()]
  const { transactions } = await v3.transactions({ account, limit: 1, sort: 'desc' })
  const before = await found(shop, transactions[0]?.hash)
  expect(before).toMatchObject({ isMissing: true, payments: [] })
  expect(before.sentences[0]).toContain('a wallet of this shop')
  await shop.look()
  const after = await found(shop, transactions[0]?.hash)
  expect(after).toMatchObject({ isMissing: false, payments: [{ reference: 'order-1' }] })
  expect(after.sentences.join(' ')).toContain('The transaction has 2 further transfers.')
  expect(after.sentences.at(-1)).toContain('The shop knows it')
})

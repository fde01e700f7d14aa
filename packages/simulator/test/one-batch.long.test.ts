import {
  comment,
  internal,
  SendMode,
  toNano,
  type Address,
  type Cell,
  type MessageRelaxed,
} from '@ton/core'
import {
  createPayments,
  createPaymentVerifier,
  createPaymentWatcher,
  createWebhookReceiver,
  memoryOrderRepository,
  type Order,
  type TransferData,
} from '@tonplug/core'
import { createTransport, createV3Client, parseTrace, type Fetch } from '@tonplug/core/toncenter'
import { walletV5 } from '@tonplug/simulator'
import { nightSize } from '@tonplug/test-support/night-size'
import { createTestLogger, signPayload, transferCompleted } from '@tonplug/testing'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openInvoices } from './invoice-shop.js'

// Two hundred wallets are slow on a machine under load.
vi.setConfig({ testTimeout: 1_200_000 })

type Shop = Awaited<ReturnType<typeof openInvoices>>

/** Returns a fetch that counts the requests to the index, and the bytes of its responses. */
function countingFetch(counted: Pick<Cost, 'requests' | 'bytes'>): Fetch {
  return async (url, init) => {
    const response = await fetch(url, init)
    const body = await response.text()
    counted.requests++
    counted.bytes += body.length
    const { status, headers } = response
    return new Response(body, { status, headers: new Headers([...headers]) })
  }
}

/** Returns the message of a relay that deploys the wallet of a seed and lets it send what its owner has signed. */
function relayed({ chain }: Shop, seed: number, messages: MessageRelaxed[]): MessageRelaxed {
  const { wallet, keys } = walletV5(seed)
  const body = wallet.createTransfer({
    seqno: 0,
    secretKey: keys.secretKey,
    authType: 'internal',
    timeout: chain.now + 86_400,
    sendMode: SendMode.PAY_GAS_SEPARATELY,
    messages,
  })
  const { address: to, init } = wallet
  return internal({ to, value: toNano('0.3'), bounce: false, init, body })
}

/** Opens orders in USDT, and lets a relay send the payments of as many payers in one batch. */
async function payInOneBatch(count: number) {
  const shop = await openInvoices()
  const { chain, usdt, merchant } = shop
  const relay = await shop.payer('v5')
  await chain.fund(relay.address, toNano(count))
  const transfer = (from: Address, to: Address, amount: bigint, forwardPayload?: Cell) =>
    usdt.transferMessage({
      from,
      to,
      amount,
      response: relay.address,
      forwardCoins: 1n,
      ...(forwardPayload && { forwardPayload }),
    })
  const gifts: MessageRelaxed[] = []
  const batch: MessageRelaxed[] = []
  const orders: Order[] = []
  for (let seed = 500; seed < 500 + count; seed++) {
    const { order } = await shop.open({ asset: usdt.master.toString(), rawAmount: 2_000_000n })
    orders.push(order)
    const { address } = walletV5(seed).wallet
    gifts.push(transfer(relay.address, address, 3_000_000n))
    const commission = transfer(address, relay.address, 10_000n)
    const payment = transfer(address, merchant.address, 2_000_000n, comment(order.reference))
    batch.push(relayed(shop, seed, [commission, payment]))
  }
  // The payers own no coins, and their wallets do not exist yet.
  await relay.send(gifts)
  await relay.send(batch)
  await shop.pass(120)
  return { shop, orders, reports: await reportedBy(shop, orders) }
}

/** Returns the payments of a batch as webhooks report them. */
async function reportedBy(shop: Shop, orders: readonly Order[]): Promise<TransferData[]> {
  const owner_address = [shop.merchant.address.toString()]
  const rows = await shop.v3.jettonTransfers({ owner_address, direction: 'in', limit: 1 })
  const tx_hash = rows.jetton_transfers.map((row) => row.transaction_hash)
  const { traces, metadata } = await shop.v3.traces({ tx_hash, include_actions: true })
  const trace = traces[0]!
  const named = new Set(orders.map(({ reference }) => reference))
  return parseTrace(trace, { metadata }).transfers.flatMap((one) => {
    if (one.kind !== 'jetton' || !named.has(one.comment ?? '')) return []
    return {
      amount: '2',
      rawAmount: one.amount.toString(),
      senderAddr: one.sender,
      recipientAddr: one.recipient!,
      asset: shop.usdt.master.toString(),
      status: 'success' as const,
      reference: one.comment!,
      bodyBase64Hash: one.bodyHash!,
      txHash: one.receivedIn!,
      traceId: trace.trace_id!,
      commentToRecipient: one.comment,
      date: new Date(shop.chain.now * 1000).toISOString(),
    }
  })
}

const PROOFS = ['on', 'off'] as const
const SOURCES = ['watcher', 'webhooks'] as const
const SECRET = 'whsec_batch'

/** Requests to the index and bytes of its responses, of a shop that finds the payments of a batch. */
interface Cost {
  requests: number
  bytes: number
  paid: readonly string[]
}

/** Lets another shop with the same orders find the payments of a batch. */
async function findPayments(
  { shop, orders, reports }: Awaited<ReturnType<typeof payInOneBatch>>,
  { source, proofs }: { source: (typeof SOURCES)[number]; proofs: (typeof PROOFS)[number] },
): Promise<Cost> {
  const { clock, chain, merchant } = shop
  const counted = { requests: 0, bytes: 0 }
  const transport = createTransport({
    baseUrl: chain.url,
    rps: Infinity,
    clock,
    fetch: countingFetch(counted),
  })
  const v3 = createV3Client({ transport })
  const paid: string[] = []
  const payments = createPayments({
    orders: memoryOrderRepository(orders),
    wallets: [merchant.address.toString()],
    verifyOnChain: proofs === 'on' ? createPaymentVerifier({ v3, clock }) : undefined,
    onPaid: ({ order }) => void paid.push(order.reference),
    logger: createTestLogger(),
    clock,
  })
  const watcher = createPaymentWatcher({ payments, v3 })
  onTestFinished(async () => {
    const closed = Promise.all([watcher.close(), payments.close()])
    await clock.advance(20_000)
    await closed
  })
  if (source === 'watcher') await watcher.run()
  else {
    const receiver = createWebhookReceiver({ payments, secrets: SECRET })
    for (const data of reports) {
      const { body, headers } = signPayload(transferCompleted(data), SECRET)
      await receiver.receive({ headers, rawBody: body })
    }
  }
  const countPaid = async (): Promise<number> => {
    await clock.advance(0)
    return paid.length
  }
  await expect.poll(countPaid, { timeout: 480_000 }).toBe(orders.length)
  return { ...counted, paid: paid.toSorted() }
}

const VARIANTS = SOURCES.flatMap((source) => PROOFS.map((proofs) => ({ source, proofs })))
/** A payment with a commission has nine transactions. The watcher and the proof read them once each. */
const MOST_BYTES_PER_PAYER = 125_000

describe('S153 payments of many payers in one batch of a relay', () => {
  it.each(nightSize([1, 10, 40], [1, 10, 40, 200]))(
    'cost at most 20 requests and linear data for %i payers, by webhooks and by the watcher',
    async (count) => {
      const batch = await payInOneBatch(count)
      const references = batch.orders.map(({ reference }) => reference).toSorted()
      for (const variant of VARIANTS) {
        const { requests, bytes, paid } = await findPayments(batch, variant)
        expect.soft({ ...variant, paid }).toEqual({ ...variant, paid: references })
        expect.soft(requests, JSON.stringify(variant)).toBeLessThanOrEqual(20)
        expect
          .soft(bytes, JSON.stringify(variant))
          .toBeLessThan(count * MOST_BYTES_PER_PAYER + 50_000)
      }
    },
  )
})

import { Address, internal, type MessageRelaxed } from '@ton/core'
import {
  createPayments,
  createPaymentVerifier,
  createPaymentWatcher,
  memoryInbox,
  memoryOrderRepository,
  type Inbox,
  type Order,
  type OrderRepository,
  type Payments,
  type PaymentVerifier,
} from '@tonplug/core'
import { createV3Client, type V3Client } from '@tonplug/core/toncenter'
import {
  createDesk,
  type ActionResult,
  type DeskAction,
  type PaymentStory,
  type StoryPayment,
  type TransferPage,
} from '@tonplug/desk'
import { postgresInbox, postgresOrderRepository, type Queryable } from '@tonplug/postgres'
import type { SimulatedWallet, Simulator } from '@tonplug/simulator'
import { createTestLogger, type FakeClock } from '@tonplug/testing'
import { expect, onTestFinished } from 'vitest'
import { browse, type Browser } from './shop.js'
import { UNWANTED } from './words.js'

type TicketOrder = Required<Pick<Order, 'reference' | 'rawAmount' | 'asset'>> & {
  recipient?: string | undefined
}

/** The stores of one shop. */
export interface TicketStores {
  inbox: Inbox | undefined
  orders: OrderRepository
  readonly add: (order: TicketOrder) => Promise<unknown>
  readonly cancel: (reference: string) => Promise<unknown>
}

export function memoryStores(): TicketStores {
  const orders = memoryOrderRepository()
  const fields = { status: 'pending', createdAt: new Date() } as const
  return {
    inbox: memoryInbox(),
    orders,
    add: async (order) => orders.add({ ...order, ...fields }),
    cancel: async (reference) => {
      const order = await orders.find({ reference, merchant: '' })
      if (order !== null) orders.replace({ ...order, status: 'cancelled' })
    },
  }
}

export function postgresStores(db: Queryable, name: string): TicketStores {
  const orders = postgresOrderRepository(db, { name })
  return {
    inbox: postgresInbox(db),
    orders,
    add: (order) => orders.create({ ...order, data: null }),
    cancel: (reference) => orders.cancel(reference),
  }
}

/** A shop on a simulated chain, with two wallets and a desk. */
export interface TicketShop extends TicketStores {
  payments: Payments
  wallets: readonly SimulatedWallet[]
  /** The handler `onPaid` fails while `isOut`. */
  stock: { isOut: boolean; shipped: string[] }
  /** Proofs find nothing while `isDown`. */
  index: { isDown: boolean }
  /** Sends coins of the buyer with a comment to the first wallet. */
  readonly pay: (coins: bigint, comment?: string, wallet?: SimulatedWallet) => Promise<string>
  /** Sends messages of the buyer. */
  readonly send: (messages: readonly MessageRelaxed[]) => Promise<string>
  /** Reads the chain two minutes later: until then, an order may be stored for a payment without one. */
  readonly look: () => Promise<void>
  /** Signs in at the desk. */
  readonly operator: (name: string) => Support
}

const BYSTANDER = new Address(0, Buffer.alloc(32, 1))

/** @param options.clock the clock of the chain */
export async function openTicketShop(
  { chain, buyer, urls }: Simulator,
  options: { stores: TicketStores; name: string; clock: FakeClock; isProven?: boolean },
): Promise<TicketShop> {
  const { stores, name, clock, isProven = false } = options
  const wallets = [await chain.createWallet(), await chain.createWallet()]
  for (const wallet of wallets) await wallet.send([])
  const v3 = createV3Client({ baseUrl: urls.chain, rps: Infinity })
  const stock: TicketShop['stock'] = { isOut: false, shipped: [] }
  const index = { isDown: false }
  const payments = createPayments({
    ...(isProven && { verifyOnChain: proofs(v3, index) }),
    name,
    orders: stores.orders,
    inbox: stores.inbox,
    wallets: wallets.map(({ address }) => address.toString()),
    handlerRetry: { maxAttempts: 1 },
    onPaid: ({ order: { reference } }) => {
      if (stock.isOut) throw new Error('out of stock')
      stock.shipped.push(reference)
    },
    logger: createTestLogger(),
  })
  const watcher = createPaymentWatcher({ payments, v3 })
  onTestFinished(async () => {
    await watcher.close()
    await payments.close()
  })
  const look = async (): Promise<void> => {
    await clock.advance(120_000)
    // The index has the time of its newest block.
    await chain.fund(BYSTANDER, 1n)
    await chain.mine()
    await watcher.run()
  }
  const send: TicketShop['send'] = async (messages) => {
    const { transaction } = await buyer.send([...messages])
    await look()
    return transaction.hash().toString('hex')
  }
  // Money with which the wallets were opened.
  await look()
  return {
    ...stores,
    payments,
    wallets,
    stock,
    index,
    look,
    send,
    pay: (value, body, wallet = wallets[0]) => {
      const to = String(wallet?.address)
      return send([internal({ to, value, ...(body !== undefined && { body }) })])
    },
    operator: (operator) => {
      const authorize = () => ({ operator })
      const desk = createDesk({
        payments,
        authorize,
        actions: true,
        watcher,
        v3,
        network: 'testnet',
      })
      return createSupport(browse(desk))
    },
  }
}

/** Returns proofs that fail while the index is down. */
function proofs(v3: V3Client, index: { isDown: boolean }): PaymentVerifier {
  const verifier = createPaymentVerifier({ v3 })
  return {
    ...verifier,
    verify: (...given) =>
      index.isDown ? Promise.reject(new Error('the index is down')) : verifier.verify(...given),
  }
}

/** An operator, who searches, opens a hit, and clicks an action and its confirmation. */
interface Support {
  readonly browser: Browser
  /** Clicks since the last search. */
  readonly clicks: () => number
  /** Searches, and opens the hit of an order, or of a payment in a state. One click. */
  solve(search: string, hit: { reference: string; state: string }): Promise<PaymentStory>
  /** Clicks an action of the first payment, and confirms it. Two clicks. */
  act(action: DeskAction, story: PaymentStory, fields?: object): Promise<ActionResult>
  /** Reads the page again, as it does by itself. */
  reload(): Promise<PaymentStory>
}

function createSupport(browser: Browser): Support {
  let clicks = 0
  let path = ''
  const read = async (): Promise<PaymentStory> => {
    const story = await browser.json<PaymentStory>(path)
    expectWords(story)
    return story
  }
  return {
    browser,
    clicks: () => clicks,
    async solve(search, { reference, state }) {
      const query = encodeURIComponent(search)
      const { transfers } = await browser.json<TransferPage>(`api/transfers?search=${query}`)
      const hits = transfers.filter((row) => row.reference === reference)
      const hit = hits.find(({ situation }) => situation.name === state)
      expect(hits.map(({ situation }) => situation.name)).toContain(state)
      clicks = 1
      path = `api/payment?reportId=${hit?.reportId}`
      return read()
    },
    async act(action, { payments: [payment] }, fields = {}) {
      expect(payment?.actions).toContain(action)
      clicks += 2
      const response = await browser.post(action, { ...bodyOf(action, payment), ...fields })
      expect(response.status).toBe(200)
      const result = (await response.json()) as ActionResult
      expect(result.message).not.toMatch(UNWANTED)
      return result
    },
    reload: read,
  }
}

/** Returns what the button of an action sends. */
function bodyOf(action: DeskAction, payment: StoryPayment | undefined): object {
  const { reportId, merchant, txHash: transactionHash } = payment ?? {}
  return action === 'refund' || action === 'assign'
    ? { transactionHash, merchant }
    : { reportId, reason: 'ticket' }
}

/** Expects words of support in everything that the page shows without opening its details. */
function expectWords({ situation, payments, timeline }: PaymentStory): void {
  const situations = [situation, ...payments.map((one) => one.situation)]
  const texts = situations.flatMap(({ name, happened, todo = '' }) => [name, happened, todo])
  const events = timeline.map(({ text }) => text)
  for (const text of [...texts, ...events]) expect(text).not.toMatch(UNWANTED)
}

import { setImmediate } from 'node:timers/promises'
import {
  beginCell,
  comment,
  external,
  internal,
  SendMode,
  type Address,
  type Cell,
} from '@ton/core'
import {
  createPayments,
  createPaymentWatcher,
  createWebhookReceiver,
  memoryInbox,
  memoryOrderRepository,
  type DecisionEvent,
  type MemoryOrderRepository,
  type Order,
  type OrderRepository,
  type PaymentsOptions,
  type PaymentWatcher,
  type PaymentWatcherOptions,
} from '@tonplug/core'
import { createTransport, createV3Client, type Fetch } from '@tonplug/core/toncenter'
import { createFakeClock, createTestLogger } from '@tonplug/testing'
import { onTestFinished } from 'vitest'
import { jettonMinter, messageCell, mintBody, transferBody, walletV4 } from '@tonplug/simulator'
import { serveChain } from '../../toncenter/chain/served-chain.js'
import { SECRET } from '../shop.js'

/** The first second of these chains. Wallets accept messages until 2038. */
export const BEGIN = 1_767_614_400

const shopWallet = walletV4(90).wallet.address
const adminSeed = 91

/** The wallet of the shop. */
export const recipient = shopWallet.toRawString()

/** A body as the gateway builds it: without a comment, and with a unique hash. */
export function gatewayBody(number: number): Cell {
  return beginCell().storeUint(0x7a9d2c11, 32).storeUint(number, 64).endCell()
}

/** Returns an order that a message with this body pays. */
export function orderOf(reference: string, body: Cell, changes: Partial<Order> = {}): Order {
  return {
    reference,
    rawAmount: 1_000_000_000n,
    asset: 'TON',
    status: 'pending',
    bodyBase64Hash: body.hash().toString('base64'),
    createdAt: new Date(BEGIN * 1000),
    ...changes,
  }
}

/** A message of a payer. */
export interface Payment {
  body: Cell | string
  value?: bigint
  to?: Address
}

/** A chain with payers and a shop. */
export type PaidChain = Awaited<ReturnType<typeof openPaidChain>>

/** Options of {@link openPaidChain}. */
export interface PaidChainOptions {
  payments?: Partial<PaymentsOptions>
  watcher?: Partial<PaymentWatcherOptions>
  /** Wraps the repository of Payments. */
  wrapOrders?: (orders: MemoryOrderRepository) => OrderRepository
  /** Replaces the global `fetch` of the client of API v3. */
  fetch?: Fetch
}

/** Starts a chain, and a shop whose clock follows the chain. */
export async function openPaidChain(orders: readonly Order[], options: PaidChainOptions = {}) {
  const { chain, v3Server } = await serveChain({ now: BEGIN })
  v3Server.indexesJettons = true
  const clock = createFakeClock({ startMs: BEGIN * 1000 })
  const logger = createTestLogger()
  const repository = memoryOrderRepository(orders)
  const inbox = options.payments?.inbox ?? memoryInbox({ clock })
  const events: string[] = []
  const note = (event: string) => (one: { order: Order }) =>
    void events.push(`${event} ${one.order.reference}`)
  const seqnos = new Map<number, number>()
  let minted = false

  let openRequests = 0
  const countedFetch: Fetch = async (url, init) => {
    openRequests++
    try {
      // Each `fetch` of these tests returns one.
      const response = (await (options.fetch ?? fetch)(url, init)) as Response
      return new Response(await response.arrayBuffer(), response)
    } finally {
      openRequests--
    }
  }
  const v3 = createV3Client({
    transport: createTransport({ baseUrl: v3Server.url, rps: Infinity, fetch: countedFetch }),
  })
  const payments = createPayments({
    orders: options.wrapOrders?.(repository) ?? repository,
    wallets: [recipient],
    onPaid: ({ order, isLate, isEarly, source }) => {
      const facts = [source, isLate && 'late', isEarly && 'early'].filter((fact) => fact !== false)
      events.push(`onPaid ${order.reference} ${facts.join(' ')}`)
    },
    onMismatch: ({ order, reason }) => void events.push(`onMismatch ${order.reference} ${reason}`),
    onExtraPayment: note('onExtraPayment'),
    onUnverified: note('onUnverified'),
    clock,
    logger,
    ...options.payments,
    inbox,
  })
  const decided: DecisionEvent[] = []
  payments.onDecision((event) => void decided.push(event))
  const receiver = createWebhookReceiver({ payments, secrets: SECRET })
  const watcher = createPaymentWatcher({ payments, v3, ...options.watcher })
  const close = async (work: Promise<void>): Promise<void> => {
    let isClosed = false
    const closed = work.then(() => void (isClosed = true))
    await clock.advance(0)
    if (!isClosed) await clock.advance(20_000)
    await closed
  }
  onTestFinished(async () => {
    await close(receiver.close())
    await close(watcher.close())
    await close(payments.close())
  })

  /** Sends messages with the wallet of a seed, which is deployed with its first message. */
  const send = async (seed: number, messages: Parameters<typeof internal>[0][]): Promise<void> => {
    const { wallet, keys } = walletV4(seed)
    const seqno = seqnos.get(seed) ?? 0
    if (seqno === 0) await chain.fund(wallet.address, 1_000_000_000_000n)
    seqnos.set(seed, seqno + 1)
    const body = wallet.createTransfer({
      seqno,
      secretKey: keys.secretKey,
      sendMode: SendMode.PAY_GAS_SEPARATELY,
      timeout: 2 ** 31,
      messages: messages.map((one) => internal(one)),
    })
    const init = seqno === 0 ? wallet.init : null
    await chain.send(messageCell(external({ to: wallet.address, body, init })))
  }
  const minter = jettonMinter(walletV4(adminSeed).wallet.address)
  const jettonWallet = async (owner: Address): Promise<Address> => {
    const slice = beginCell().storeAddress(owner).endCell()
    const { stack } = await chain.runGetMethod(minter.address, 'get_wallet_address', [
      { type: 'slice', cell: slice },
    ])
    const [answer] = stack
    if (answer?.type !== 'slice') throw new TypeError('the minter returns no wallet')
    return answer.cell.beginParse().loadAddress()
  }

  return {
    chain,
    clock,
    events,
    logger,
    orders: repository,
    inbox,
    payments,
    receiver,
    watcher,
    /** Decisions of Payments, oldest first. */
    decided,
    v3,
    v3Server,
    /** The jetton's master. */
    jetton: minter.address.toRawString(),
    /** Moves the chain and the clock of the shop. */
    async wait(seconds: number): Promise<void> {
      chain.now += seconds
      await clock.advance(seconds * 1000)
    },
    /** Resolves when all requests have been answered, and what follows from them has been done. */
    async quiet(): Promise<void> {
      for (let turn = 0; turn < 10; turn++) {
        await setImmediate()
        if (openRequests > 0) turn = 0
      }
    },
    /** Pays in the native coin; several payments form one trace. */
    pay: (seed: number, ...payments: Payment[]) =>
      send(
        seed,
        payments.map(({ body, value = 1_000_000_000n, to = shopWallet }) => ({
          to,
          value,
          bounce: false,
          body: typeof body === 'string' ? comment(body) : body,
        })),
      ),
    /** Pays in the jetton. @returns the body of the payer's message */
    async payJetton(seed: number, amount: bigint, note?: string): Promise<Cell> {
      const payer = walletV4(seed).wallet.address
      if (!minted) {
        minted = true
        const deploy = { to: minter.address, value: 1_000_000_000n, bounce: true }
        await send(adminSeed, [{ ...deploy, init: minter.init, body: mintBody(payer, 10n ** 12n) }])
      }
      const body = transferBody({
        amount,
        to: shopWallet,
        response: payer,
        forwardCoins: 1n,
        ...(note !== undefined && { forwardPayload: comment(note) }),
      })
      await send(seed, [{ to: await jettonWallet(payer), value: 200_000_000n, bounce: true, body }])
      return body
    },
    /** Closes the watcher and opens another one, which has no cursor and no memory. */
    async restart() {
      await close(watcher.close())
      const other = createPaymentWatcher({ payments, v3, ...options.watcher })
      onTestFinished(() => close(other.close()))
      return other
    },
    /** Runs the watcher once, and then the handlers that are due. */
    async look(run?: Parameters<PaymentWatcher['run']>[0]) {
      const report = await watcher.run(run)
      await clock.advance(0)
      return report
    },
  }
}

import { Address, toNano } from '@ton/core'
import {
  createInvoice,
  createPaymentVerifier,
  createPayments,
  createPaymentWatcher,
  memoryInbox,
  memoryOrderRepository,
  type Clock,
  type DecisionKind,
  type InvoiceOptions,
  type PaymentsOptions,
  type PaymentWatcherOptions,
} from '@tonplug/core'
import { createTransport, createV3Client, type Fetch, type V3Client } from '@tonplug/core/toncenter'
import { createFakeClock, createTestLogger } from '@tonplug/testing'
import type { ChainSimulatorOptions, SimulatedWallet, WalletVersion } from '@tonplug/simulator'
import { expect, onTestFinished } from 'vitest'
import { startChain } from './start-chain.js'

export const START_MS = Date.UTC(2026, 0, 5)
const BYSTANDER = new Address(0, Buffer.alloc(32, 0xb5))

/** Options of {@link openInvoices}. */
export interface InvoiceShopOptions {
  payments?: Partial<PaymentsOptions>
  watcher?: Partial<PaymentWatcherOptions>
  /** Replaces the global `fetch` of the client of API v3. */
  fetch?: Fetch
  /** Reads another chain. */
  v3?: V3Client
  chain?: ChainSimulatorOptions
}

function connect(baseUrl: string, clock: Clock, fetchIndex: Fetch = fetch): V3Client {
  const retry = { maxAttempts: 1 }
  const transport = createTransport({ baseUrl, rps: Infinity, clock, retry, fetch: fetchIndex })
  return createV3Client({ transport })
}

/** After this real time without a decision, the clock of the shop moves with the real time. */
const STALLED_MS = 5000

/** Opens a shop without a gateway: invoices, a watcher, and a proof of each payment. */
export async function openInvoices(options: InvoiceShopOptions = {}) {
  const clock = createFakeClock({ startMs: START_MS })
  const now = () => Math.floor(clock.nowMs() / 1000)
  const chain = await startChain({ now, ...options.chain })
  const merchant = await chain.createWallet({ balance: 0n })
  const usdt = await chain.deployJetton()
  const { v3 = connect(chain.url, clock, options.fetch) } = options
  const orders = memoryOrderRepository()
  const inbox = options.payments?.inbox ?? memoryInbox({ clock })
  const paid: string[] = []
  /** The calls of the other handlers. */
  const events: string[] = []
  const payments = createPayments({
    orders,
    wallets: [merchant.address.toString()],
    verifyOnChain: createPaymentVerifier({ v3 }),
    onPaid: ({ order, isLate }) =>
      void paid.push(isLate ? `${order.reference} late` : order.reference),
    onMismatch: ({ order, reason, totalReceived }) =>
      void events.push(`${reason} ${order.reference} ${totalReceived}`),
    onExtraPayment: ({ order }) => void events.push(`extra ${order.reference}`),
    onUnknownOrder: ({ transfer }) => void events.push(`unknown ${transfer.rawAmount}`),
    onUnverified: ({ order, decision }) =>
      void events.push(`unverified ${order.reference} ${decision.reason}`),
    logger: createTestLogger(),
    clock,
    ...options.payments,
    inbox,
  })
  const decided: DecisionKind[] = []
  payments.onDecision(({ decision: { kind } }) => kind !== 'verifying' && decided.push(kind))
  const watcher = createPaymentWatcher({ payments, v3, ...options.watcher })
  onTestFinished(async () => {
    const closed = Promise.all([watcher.close(), payments.close()])
    await clock.advance(20_000)
    await closed
  })
  const open = async (given: Partial<InvoiceOptions> & Pick<InvoiceOptions, 'asset'>) => {
    const wallet = merchant.address.toString({ bounceable: false })
    // One of the two amounts is given.
    const invoice = await createInvoice({ wallet, v3, clock, ...given } as InvoiceOptions)
    orders.add(invoice.order)
    return invoice
  }
  /** Waits until `count` decisions were made since the last call, and returns them. */
  const takeDecisions = async (count: number): Promise<DecisionKind[]> => {
    let [before, changedAtMs, movedAtMs] = [0, performance.now(), 0]
    const proven = async (): Promise<number> => {
      await clock.advance(0)
      const nowMs = performance.now()
      if (decided.length !== before) [before, changedAtMs] = [decided.length, nowMs]
      // A request that failed waits for its next attempt.
      else if (nowMs - changedAtMs > STALLED_MS)
        await clock.advance(Math.min(nowMs - movedAtMs, 1000))
      movedAtMs = nowMs
      return decided.length
    }
    await expect.poll(proven, { timeout: 480_000 }).toBe(count)
    return decided.splice(0)
  }
  /** Moves the time, and makes a block, so that the index has the time too. */
  const pass = async (seconds: number): Promise<void> => {
    await clock.advance(seconds * 1000)
    await chain.fund(BYSTANDER, 1n)
  }
  return {
    chain,
    clock,
    merchant,
    usdt,
    v3,
    inbox,
    orders,
    payments,
    watcher,
    paid,
    events,
    open,
    takeDecisions,
    /** Creates another watcher, as a new process does. It has no cursor and no memory. */
    watch(given: Partial<PaymentWatcherOptions> = {}) {
      const other = createPaymentWatcher({ payments, v3, ...given })
      onTestFinished(() => other.close())
      return other
    },
    pass,
    /** Returns the decisions of one run, two minutes later, after the proofs. */
    async look() {
      await pass(120)
      const { decisions } = await watcher.run()
      return takeDecisions(Object.values(decisions).reduce((sum, one) => sum + one, 0))
    },
    /** Returns a payer with coins and USDT, whose wallet contract is not deployed yet. */
    async payer(version: WalletVersion = 'v5'): Promise<SimulatedWallet> {
      const wallet = await chain.createWallet({ version, balance: toNano(100) })
      await usdt.mint(wallet.address, 1_000_000_000n)
      return wallet
    },
  }
}

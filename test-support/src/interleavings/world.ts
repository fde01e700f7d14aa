import {
  ConfigurationError,
  memoryInbox,
  memoryOrderRepository,
  type Inbox,
  type Order,
  type OrderRepository,
} from '@tonplug/core'
import { createOperator, type Operator } from '@tonplug/core/operator'
import { transferCompleted, signPayload } from '@tonplug/testing'
import { commentCell } from '../../../packages/testing/src/gateway/cell.js'
import { messageBody, SimulatedChain } from '../../../packages/testing/src/shop/chain.js'
import { JettonWallets } from '../../../packages/testing/src/shop/jettons.js'
import { LyingIndex } from '../../../packages/testing/src/shop/lying-index.js'
import { Ports } from '../../../packages/testing/src/shop/ports.js'
import { createRandom } from '../../../packages/testing/src/shop/random.js'
import { Scheduler } from '../../../packages/testing/src/shop/scheduler.js'
import {
  openTools,
  SECRET,
  SharedCursor,
  startProcess,
  type HandlerRun,
  type ShopProcess,
  type ShopWorld,
} from '../../../packages/testing/src/shop/shop-process.js'
import { addressOf, assetId, bodyOfItem, WALLET } from './items.js'
import { sendPayment, type SentCredit } from './sent-credit.js'
import type { CreditName, OrderKey, Plan, Step, StepOf } from './steps.js'

const BEGAN_MS = Date.UTC(2026, 0, 5, 12)
const NOTE = { by: 'ann@shop.example', reason: 'ticket 7' }
const SIGNING_MS = 20_000
const INTERVALS = { minIntervalMs: 20_000, maxIntervalMs: 60_000, idlePollMs: 30_000 }

/** Stores of a shop, empty. */
export interface Stores {
  orders: OrderRepository
  insert(order: Order): unknown
  /** Some repositories cannot cancel or expire orders. */
  end?(kind: 'cancel' | 'expire', key: OrderKey): unknown
  inbox: Inbox
}

export type OpenStores = (clock: { nowMs(): number }) => Stores | Promise<Stores>

/** Opens stores in memory. */
export const openMemory: OpenStores = (clock) => {
  const orders = memoryOrderRepository()
  return {
    orders,
    insert: (order) => orders.add(order),
    end: (kind, key) => orders[kind](key),
    inbox: memoryInbox({ clock: { ...clock, setTimer: () => () => undefined } }),
  }
}

/** Two processes of a shop with one store, an index that lags, buyers, and operators. */
export class World {
  readonly scheduler: Scheduler
  readonly credits: SentCredit[] = []
  readonly runs: HandlerRun[] = []
  /** The steps that were performed: webhooks and assignments give rights to money. */
  readonly done: Step[] = []
  readonly stores: Stores
  readonly #world: ShopWorld
  readonly #chain = new SimulatedChain()
  readonly #processes: ShopProcess[]

  private constructor(scheduler: Scheduler, stores: Stores, { seed, plan }: Given) {
    this.scheduler = scheduler
    this.stores = stores
    const shop = { orders: stores.orders, inbox: stores.inbox }
    const cursor = new SharedCursor(scheduler, (one) => one)
    const joined = shop.inbox.joinOrders?.(shop.orders)
    this.#world = {
      scheduler,
      ports: new Ports(scheduler, createRandom(seed, 'ports')),
      random: createRandom(seed, 'world'),
      chain: this.#chain,
      index: new LyingIndex(this.#chain),
      proof: undefined,
      jettons: new JettonWallets(),
      shops: new Map([['default', { orders: shop.orders, cursor, joined }]]),
      inbox: shop.inbox,
      wallets: [WALLET],
      amounts: plan.amounts,
      intervals: INTERVALS,
      indexDownUntilMs: 0,
      onRun: (run) => void this.runs.push(run),
      onKill: () => undefined,
    }
    this.#processes = [0, 1].map((number) => startProcess(this.#world, number, `process-${number}`))
  }

  static async open(given: Given, open: OpenStores): Promise<World> {
    const scheduler = new Scheduler(BEGAN_MS, createRandom(given.seed, 'order'))
    return new World(scheduler, await open({ nowMs: () => scheduler.nowMs }), given)
  }

  /** Performs a step. What it causes continues while the next ones happen. */
  async perform(step: Step): Promise<void> {
    await this.scheduler.advance(step.afterMs)
    this.scheduler.note(
      JSON.stringify(step, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)),
    )
    this.done.push(step)
    this.scheduler.after(0, () => this.#happen(step))
  }

  /** Lets time pass until some work is done. */
  async settled<T>(work: Promise<T>): Promise<T> {
    let isDone = false
    const end = (): void => void (isDone = true)
    work.then(end, end)
    while (!isDone) await this.scheduler.advance(100)
    return work
  }

  /** Opens the tools of an operator. */
  operator(): Operator {
    const { payments, v3 } = openTools(this.#world, 'operator')
    return createOperator({ payments, v3 })
  }

  end(): void {
    for (const one of this.#processes) one.isAlive = false
  }

  #happen(step: Step): unknown {
    switch (step.kind) {
      case 'order':
        return this.#order(step)
      case 'pay':
        this.credits.push(
          ...sendPayment(
            { chain: this.#chain, jettons: this.#world.jettons, nowMs: this.scheduler.nowMs },
            step,
          ),
        )
        return
      case 'webhook':
        return this.#deliver(step)
      case 'cancel':
      case 'expire':
        return this.stores.end?.(step.kind, { reference: step.reference, merchant: step.merchant })
      default:
        void this.#operate(step)
    }
  }

  #order({ asset, amount, reference, merchant, ...message }: StepOf<'order'>): unknown {
    const { isBound } = message
    const bodyBase64Hash = isBound ? bodyOfItem({ asset, amount, ...message }).hash : undefined
    const createdAt = new Date(this.scheduler.nowMs)
    const facts = { reference, merchant, asset: assetId(asset), rawAmount: amount, createdAt }
    return this.stores.insert({ ...facts, status: 'pending', ...(isBound && { bodyBase64Hash }) })
  }

  #sent({ payment, item }: CreditName): SentCredit | undefined {
    return this.credits.find((one) => one.payment === payment && one.item === item)
  }

  #deliver(step: StepOf<'webhook'>): void {
    const sent = this.#sent(step)
    if (sent === undefined) return
    const { reference, merchant, names, hasTrace, process } = step
    const [root = '', ...others] = sent.trace
    const known = { root, own: sent.txHash, way: sent.wayHash }
    const named = typeof names === 'number' ? others[names % others.length] : known[names]
    const payload = transferCompleted({
      reference,
      rawAmount: `${sent.amount}`,
      asset: assetId(sent.asset),
      senderAddr: addressOf(sent.buyer),
      recipientAddr: WALLET,
      bodyBase64Hash: sent.bodyHash,
      txHash: named ?? root,
      traceId: hasTrace ? sent.traceId : '',
      date: new Date(sent.utime * 1000).toISOString(),
    })
    const { body, headers } = signPayload(payload, SECRET)
    const receiver = this.#processes[process]?.receivers.get('default')
    void receiver?.receive({ headers, rawBody: body, url: `/${merchant}` })
  }

  async #operate(step: Step): Promise<void> {
    try {
      if (step.kind === 'refund') await this.refund(step)
      else await this.#act(step)
    } catch (error) {
      this.scheduler.note(`${step.kind}: ${String(error)}`)
    }
  }

  async #act(step: Step): Promise<unknown> {
    if (!('reference' in step)) return
    const { reference, merchant } = step
    const operator = this.operator()
    if (step.kind === 'accept') return operator.accept({ merchant, reference }, NOTE)
    if (step.kind === 'reprocess') return operator.reprocess({ merchant, reference }, NOTE)
    const sent = step.kind === 'assign' ? this.#sent(step) : undefined
    if (sent === undefined) return
    return operator.assign({ transactionHash: sent.txHash, merchant, reference }, NOTE)
  }

  /** Asks for the refund of a credit. @returns its state */
  async refund(
    step: Pick<StepOf<'refund'>, 'payment' | 'item' | 'merchant' | 'isSigned'>,
    txHash?: string,
  ): Promise<string> {
    const sent = this.#sent(step)
    if (sent === undefined) return 'unknown'
    const { merchant } = step
    const operator = this.operator()
    const request = { merchant, transactionHash: txHash ?? sent.txHash, anyJetton: true }
    const refund = await operator.refund(request, NOTE).catch(unlessUnknown)
    if (refund.state === 'proposed' && step.isSigned && sent.asset === 'TON') {
      const [message] = refund.request.messages
      this.scheduler.after(SIGNING_MS, () => this.#sign(sent, { amount: '0', ...message }))
    }
    this.scheduler.note(`refund of ${sent.payment}/${sent.item}: ${JSON.stringify(refund)}`)
    return refund.state
  }

  #sign(
    { buyer }: SentCredit,
    { amount, payload = '' }: { amount: string; payload?: string },
  ): void {
    const text = Buffer.from(payload, 'base64').toString('latin1')
    const [comment = ''] = /refund [0-9a-f]{64}/.exec(text) ?? []
    const body = messageBody(commentCell(comment))
    const message = { to: addressOf(buyer), value: BigInt(amount), body, next: [] }
    this.#chain.send({ from: WALLET, steps: [message], lagsMs: [0] }, this.scheduler.nowMs)
  }
}

/** No report of the merchant is about the transaction. */
function unlessUnknown(error: unknown): { state: 'unknown' } {
  if (error instanceof ConfigurationError) return { state: 'unknown' }
  throw error
}

interface Given {
  seed: number
  plan: Plan
}

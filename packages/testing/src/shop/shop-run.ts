import {
  memoryInbox,
  type Inbox,
  type MemoryOrderRepository,
  type Order,
  type OrderKey,
} from '@tonplug/core'
import type { OrderRepositoryHarness } from '../conformance/order-harness.js'
import { commentCell } from '../gateway/cell.js'
import { transferCompleted } from '../payloads.js'
import { signPayload } from '../sign.js'
import { digest, messageBody, SimulatedChain, toHex } from './chain.js'
import { checkDecisions, checkJoined, checkTransitions } from './checked-stores.js'
import type { EventOf, Lie, ShopEvent, ShopPlace } from './events.js'
import { accept, assign, refund, reprocess, retry } from './operators.js'
import { bodyOf, JETTONS, JettonWallets } from './jettons.js'
import { Oracle, receiptsOf, type SentPayment } from './oracle.js'
import { LyingIndex } from './lying-index.js'
import { Ports } from './ports.js'
import { createRandom } from './random.js'
import { sendRefund, type SignedRefund } from './shop-wallet.js'
import { Scheduler } from './scheduler.js'
import type { ShopSimulationOptions } from './simulation-options.js'
import {
  askBoth,
  INTERVALS,
  openTools,
  SECRET,
  SharedCursor,
  startProcess,
  storesOf,
  type ShopProcess,
  type ShopStores,
  type ShopWorld,
  type Tools,
} from './shop-process.js'

const BEGAN_MS = Date.UTC(2026, 0, 5, 12)
const HOUR_MS = 3_600_000
/** Time without new events and faults, in which all work must end. */
const SETTLE_MS = HOUR_MS / 2
/** The gateway waits this long for a response, and repeats a delivery after this time. */
const DELIVERY_MS = 30_000
const DELIVERIES = 6
const SIGNING_MS = 20_000
/** The index shows a refund before its proposal counts as expired. */
const REFUND_LAGS_MS = [0, 0, 10_000, 60_000] as const
const DOWN_MS = 5000
/** The owner of the wallet that all shops and merchants share. */
const SHARED = 'shop'

/** The repository of a run; the default one can also cancel and expire orders. */
export interface ShopHarness
  extends OrderRepositoryHarness, Partial<Pick<MemoryOrderRepository, 'cancel' | 'expire'>> {}

/** A simulated world: its processes, and what happens to them. */
export class ShopRun {
  readonly scheduler: Scheduler
  readonly oracle: Oracle
  readonly #world: ShopWorld
  readonly #harnesses: ReadonlyMap<string, ShopHarness>
  readonly #processes: ShopProcess[] = []
  #started = 0
  /** Time after which the next process that is killed is replaced. */
  #downMs = DOWN_MS

  constructor(
    {
      seed,
      events = [],
      inbox = openInbox,
      cursor = (one) => one,
      proof = askBoth,
    }: ShopSimulationOptions,
    harnesses: ReadonlyMap<string, ShopHarness>,
    processes: number,
  ) {
    this.scheduler = new Scheduler(BEGAN_MS, createRandom(seed, 'order'))
    this.#harnesses = harnesses
    const isAddingUp = events.some(({ kind }) => kind === 'add-up')
    this.oracle = new Oracle(isAddingUp)
    const { scheduler, oracle } = this
    const clock = { nowMs: () => scheduler.nowMs }
    const chain = new SimulatedChain()
    const checked = checkDecisions(inbox(clock), oracle)
    this.#world = {
      scheduler,
      ports: new Ports(scheduler, createRandom(seed, 'ports')),
      random: createRandom(seed, 'world'),
      chain,
      index: new LyingIndex(chain),
      proof: events.some(({ kind }) => kind === 'two-sources') ? proof : undefined,
      jettons: new JettonWallets(),
      shops: new Map(
        [...harnesses].map(([shop, { repository }]): [string, ShopStores] => [
          shop,
          {
            orders: checkTransitions(repository, oracle, shop),
            cursor: new SharedCursor(scheduler, cursor),
            joined: checkJoined(checked.joinOrders?.(repository), { repository, oracle, shop }),
          },
        ]),
      ),
      inbox: checked,
      wallets: ownersOf(events).map(addressOf),
      amounts: isAddingUp ? { partial: 'add-up' } : undefined,
      intervals: events.find((one) => one.kind === 'intervals') ?? INTERVALS,
      indexDownUntilMs: 0,
      onRun: (run) => oracle.ran(run),
      onKill: (number) => this.#restart(number),
    }
    for (let number = 0; number < processes; number++) this.#start(number)
  }

  async play(events: readonly ShopEvent[]): Promise<void> {
    const { scheduler, oracle } = this
    for (const event of events) scheduler.after(event.atMs, () => this.#happen(event))
    const lastMs = Math.max(0, ...events.map(({ atMs }) => atMs))
    await scheduler.advance(lastMs + 1)
    await scheduler.advance(SETTLE_MS / 2)
    this.#world.ports.clear()
    await scheduler.advance(SETTLE_MS / 6)
    scheduler.suspendProcesses(false)
    await scheduler.advance(SETTLE_MS / 3)
    const { shops, inbox } = this.#world
    await oracle.end({ shops, inbox, nowMs: scheduler.nowMs })
    for (const one of this.#processes) one.isAlive = false
  }

  #start(number: number): void {
    this.#processes[number] = startProcess(this.#world, number, `process-${++this.#started}`)
  }

  #restart(number: number): void {
    if (number < 0) return
    this.scheduler.after(this.#downMs, () => this.#start(number))
    this.#downMs = DOWN_MS
  }

  async #happen(event: ShopEvent): Promise<void> {
    this.scheduler.touch()
    this.scheduler.note(describeEvent(event))
    switch (event.kind) {
      case 'order':
        return this.#order(event)
      case 'pay':
        return this.#pay(event)
      case 'webhook':
        return this.#deliver(event, 1)
      case 'cancel':
        this.oracle.cancelled(event)
        return this.#harnessOf(event).cancel?.(keyOf(event))
      case 'expire':
        return this.#harnessOf(event).expire?.(keyOf(event))
      case 'refund':
      case 'assign':
      case 'accept':
      case 'reprocess':
      case 'retry':
        return this.#operate(event)
      case 'kill':
        return this.#kill(event)
      case 'index':
        this.#world.indexDownUntilMs = this.scheduler.nowMs + event.downMs
        this.scheduler.after(event.downMs, () => this.scheduler.touch())
        return
      case 'fault':
        return this.#world.ports.add(event)
      case 'suspend':
        return this.scheduler.suspendProcesses(true)
      case 'add-up':
      case 'two-sources':
      case 'intervals':
    }
  }

  #harnessOf({ shop }: ShopPlace): ShopHarness {
    return storesOf(this.#harnesses, shop)
  }

  async #order(event: EventOf<'order'>): Promise<void> {
    const { reference, rawAmount, usdtAmount, isBound, merchant = '', hasRecipient } = event
    const offer = { rawAmount: BigInt(rawAmount), asset: 'TON' }
    const order: Order = {
      reference,
      merchant,
      ...(usdtAmount === undefined
        ? offer
        : { offers: [offer, { rawAmount: BigInt(usdtAmount), asset: JETTONS.usdt }] }),
      status: 'pending',
      createdAt: new Date(this.scheduler.nowMs),
      ...(isBound && { bodyBase64Hash: messageBody(commentCell(reference)).hash }),
      ...(hasRecipient === true && { recipient: addressOf(merchant) }),
    }
    await this.#harnessOf(event).insert(order)
    this.oracle.ordered(event, order)
  }

  #pay(event: EventOf<'pay'>): void {
    const { index } = this.#world
    const { lie } = event
    const shown = this.#send(event, lie === 'invented' || lie === 'withheld' ? lie : undefined)
    if (lie === 'invented') index.invent(shown.trace)
    if (lie === 'withheld') index.withhold(shown.trace)
    if (lie === undefined || lie === 'invented' || lie === 'withheld')
      return this.oracle.sent(shown)
    const told = this.#send(tell(event, lie), 'invented', payerOf(event, lie))
    index.replace(shown.trace, told.trace)
    this.oracle.sent({ ...told, lie })
  }

  /** Sends a payment, or only describes one that was invented. */
  #send(
    event: EventOf<'pay'>,
    lie: 'invented' | 'withheld' | undefined,
    name = event.payment,
  ): SentPayment {
    const { payment, reference, rawAmount: digits, times, lagMs, owner, jetton } = event
    const { chain, jettons } = this.#world
    const wallet = addressOf(owner ?? SHARED)
    const payer = addressOf(name)
    const rawAmount = BigInt(digits)
    const asset = jetton === undefined ? 'TON' : JETTONS[jetton]
    const transfer = { master: asset, from: payer, to: wallet, rawAmount, reference }
    const body = messageBody(jetton === undefined ? commentCell(reference) : bodyOf(transfer))
    const step =
      jetton === undefined
        ? { to: wallet, value: rawAmount, body, next: [] }
        : jettons.stepsOf(transfer)
    const lagsMs = [Math.min(lagMs, 1000), lagMs, lagMs]
    const steps = Array.from({ length: times }, () => step)
    // Processes are not suspended when the index shows it.
    this.scheduler.after(lagMs, () => this.scheduler.touch())
    const message = { from: payer, steps, lagsMs }
    const { nowMs } = this.scheduler
    const trace = lie === 'invented' ? chain.invent(message, nowMs) : chain.send(message, nowMs)
    if (jetton !== undefined) jettons.record(transfer, trace)
    const account =
      jetton === undefined ? wallet : jettons.walletOf({ master: asset, owner: wallet })
    const sent = { payment, reference, rawAmount, asset, times, payer, wallet, account }
    return { ...sent, bodyHash: body.hash, trace, lie }
  }

  /** Delivers a webhook as the gateway does: again until the response is 2xx. */
  #deliver(event: EventOf<'webhook'>, attempt: number): void {
    const sent = this.oracle.payments.get(event.payment)
    if (sent === undefined) return
    const { scheduler } = this
    const { body, headers } = signPayload(this.#payloadOf(sent, event.names), SECRET)
    let isAnswered = false
    const end = (status: number): void => {
      if (isAnswered) return
      isAnswered = true
      scheduler.note(`webhook of ${event.payment}: ${status}`)
      const isDone = status >= 200 && status < 300
      if (isDone || attempt === DELIVERIES) return
      scheduler.after(DELIVERY_MS * attempt, () => this.#deliver(event, attempt + 1))
    }
    scheduler.after(DELIVERY_MS, () => end(0))
    const process = this.#processes[event.process]
    if (process?.isAlive !== true) return end(0)
    const { shop, merchant = '' } = event
    const receiver = storesOf(process.receivers, shop)
    receiver.receive({ headers, rawBody: body, url: `/${merchant}` }).then(
      ({ status }) => end(status),
      () => end(500),
    )
  }

  #payloadOf(sent: SentPayment, names: EventOf<'webhook'>['names']): object {
    const { reference, rawAmount, asset, payer, wallet, trace, bodyHash } = sent
    return transferCompleted({
      reference,
      rawAmount: String(rawAmount),
      asset,
      senderAddr: payer,
      recipientAddr: wallet,
      bodyBase64Hash: bodyHash,
      txHash: hashNamed(sent, names),
      traceId: toHex(trace.id),
      date: new Date((trace.transactions[0]?.utime ?? 0) * 1000).toISOString(),
    })
  }

  #kill({ process: number, downMs }: EventOf<'kill'>): void {
    const process = this.#processes[number]
    if (process?.isAlive !== true) return
    this.#downMs = downMs
    process.kill()
  }

  #operate(event: Operation): void {
    const tools = openTools(this.#world, `operator-${++this.#started}`, event.shop)
    const end = (result: string): void => this.scheduler.note(`${event.kind}: ${result}`)
    this.#act(event, tools).then(end, (error: Error) => end(error.message))
  }

  async #act(event: Operation, tools: Tools): Promise<string> {
    const { merchant = '' } = event
    if (event.kind === 'reprocess') {
      this.oracle.reprocessed(event.reference)
      return String(await reprocess(tools, { merchant, reference: event.reference }))
    }
    if (event.kind === 'retry') {
      return String(await retry(tools, { merchant, reference: event.reference }))
    }
    if (event.kind === 'accept') {
      this.oracle.accepted(event)
      return accept(tools, { merchant, reference: event.reference })
    }
    const sent = this.oracle.payments.get(event.payment)
    if (sent === undefined) return 'no payment'
    const transactionHash = hashNamed(sent, event.names)
    if (event.kind === 'assign') {
      this.oracle.assigned(event)
      return assign(tools, { merchant, transactionHash, reference: event.reference })
    }
    this.oracle.refunding(event)
    const { anyJetton = false, sendsMs = SIGNING_MS } = event
    const beganMs = this.scheduler.nowMs
    const { state, signed } = await refund(tools, { merchant, transactionHash, anyJetton })
    if (signed === undefined) return state
    this.oracle.proposed(sent, beganMs)
    this.scheduler.after(sendsMs, () => this.#sign(event, signed))
    return state
  }

  #sign({ signed }: EventOf<'refund'>, message: SignedRefund): void {
    const { chain, jettons, random } = this.#world
    const { nowMs } = this.scheduler
    const isLate = nowMs > message.validUntil * 1000
    if (signed === 'never' || (isLate && signed !== 'late')) return
    const isRefused = signed === 'returned'
    const lagMs = random.pick(REFUND_LAGS_MS)
    const refund = sendRefund({ chain, jettons, nowMs, lagMs, isRefused }, message)
    this.oracle.refunded({ ...refund, isLate, isRefused, validUntil: message.validUntil })
  }
}

/** Action of an operator. */
type Operation = EventOf<'refund' | 'assign' | 'accept' | 'reprocess' | 'retry'>

/** Returns the payment that a lying index shows instead. */
function tell(event: EventOf<'pay'>, lie: Lie): EventOf<'pay'> {
  if (lie === 'amount') return { ...event, rawAmount: String(2n * BigInt(event.rawAmount)) }
  return lie === 'asset' ? { ...event, jetton: 'usdt' } : event
}

function payerOf({ payment }: EventOf<'pay'>, lie: Lie): string {
  return lie === 'sender' ? `${payment}-other` : payment
}

/** Returns the owners of the wallets that receive money. */
function ownersOf(events: readonly ShopEvent[]): string[] {
  const owners = events.map((event) => (event.kind === 'pay' ? event.owner : undefined) ?? SHARED)
  return [...new Set([SHARED, ...owners])]
}

function keyOf({ merchant = '', reference }: ShopPlace & { reference: string }): OrderKey {
  return { merchant, reference }
}

function openInbox(clock: { nowMs: () => number }): Inbox {
  return memoryInbox({ clock: { ...clock, setTimer: () => () => undefined } })
}

function addressOf(name: string): string {
  return `0:${toHex(digest(name))}`
}

function hashNamed(sent: SentPayment, names: EventOf<'webhook'>['names']): string {
  const received = receiptsOf(sent)
  const [root] = sent.trace.transactions
  const named = { trace: root, first: received[0], last: received.at(-1) }[names]
  return toHex(named?.hash ?? '')
}

function describeEvent(event: ShopEvent): string {
  return JSON.stringify(event)
}

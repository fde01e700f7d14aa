import { Address, toNano } from '@ton/core'
import {
  canonicalAddress,
  checkOptionNames,
  NATIVE_ASSET,
  systemClock,
  type Clock,
} from '@tonplug/core'
import { createChainSimulator, type ChainSimulator } from '../chain/chain-simulator.js'
import type { RecordedTransaction } from '../chain/recorded-transaction.js'
import type { SimulatedJetton } from '../chain/simulated-jetton.js'
import type { SimulatedWallet } from '../chain/simulated-wallet.js'
import { checkPort } from '../chain/check-options.js'
import { MessageRejectedError } from '../chain/message-rejected-error.js'
import type { V2Dialect } from '../chain/v2/question.js'
import type { StandInAsset } from '../gateway/assets.js'
import type { DeliveryReport } from '../gateway/dispatcher.js'
import {
  createGatewayStandIn,
  type GatewayStandIn,
  type GatewayStandInOptions,
  type Reporting,
} from '../gateway/gateway-stand-in.js'
import { checkDelivery } from '../gateway/faults.js'
import { badRequest, GatewayStandInError } from '../gateway/stand-in-error.js'
import { watchChain } from './chain-watch.js'
import { paymentMessage, type PaymentMessageOptions } from './pay-transfer.js'

/** Where a simulator delivers to, and how: the options of the gateway stand-in, and some of the chain. */
export interface SimulatorOptions extends Omit<
  GatewayStandInOptions,
  'recipientAddr' | 'senderAddr' | 'jettonWallet' | 'assets'
> {
  /** Time of the gateway and of the chain. @default the machine's clock */
  clock?: Clock | undefined
  /** Jettons beside those of the chain, all of which the gateway knows. @default [] */
  assets?: readonly StandInAsset[] | undefined
  /** How many of its newest transactions the chain keeps; each takes some 25 KB. @default 10_000 */
  maxTransactions?: number | undefined
  /** Which of its two servers API v2 is like. @default 'cpp', the newer one */
  dialect?: V2Dialect | undefined
  /** Where the two servers listen. @default any free ports */
  ports?: { chain?: number | undefined; gateway?: number | undefined } | undefined
}

const NAMES: Record<keyof SimulatorOptions, true> = {
  url: true,
  secret: true,
  clock: true,
  header: true,
  apiKey: true,
  assets: true,
  maxTransfers: true,
  maxAttempts: true,
  fetch: true,
  maxTransactions: true,
  dialect: true,
  ports: true,
}
const PORTS: Record<keyof NonNullable<SimulatorOptions['ports']>, true> = {
  chain: true,
  gateway: true,
}

const OF_PAYMENT: Record<keyof ChainPayment, true> = {
  from: true,
  times: true,
  isUnnoticed: true,
  delivery: true,
  rawAmount: true,
  to: true,
  jetton: true,
  isBounced: true,
}

/** How a transfer is paid; what is left out is as it was asked for. */
export interface ChainPayment extends PaymentMessageOptions, Reporting {
  /** Whose wallet pays. @default the simulator's buyer */
  from?: SimulatedWallet | undefined
  /** How many equal messages the wallet sends at once: all of them are payments. @default 1 */
  times?: number | undefined
  /** Whether the gateway does not see the payment: its status stays, and no webhook is sent. @default false */
  isUnnoticed?: boolean | undefined
}

/** What came of a payment. */
export interface PaidOnChain {
  /** The wallet's transaction, the first one of the trace; the transfer's `traceId` is its hash. */
  transaction: RecordedTransaction
  /** What became of the webhooks. Nothing was delivered where the gateway noticed nothing. */
  report: DeliveryReport
}

/** A chain, wallets on it, and a payment gateway that watches it. */
export interface Simulator {
  readonly chain: ChainSimulator
  /** It listens, and sees whatever pays its transfers on the chain. */
  readonly gateway: GatewayStandIn
  readonly urls: {
    /** What `createV2Client` and `createV3Client` take for `baseUrl`. */
    readonly chain: string
    /** What `@ton-pay/api` takes for `TONPAY_BASE_URL`, and `createTransferClient` for `baseUrl`. */
    readonly gateway: string
  }
  /** Recipient of the transfers that name none. */
  readonly merchant: SimulatedWallet
  /** Has a million of the native coin and of `usdt`; sender of the transfers that name none. */
  readonly buyer: SimulatedWallet
  /** A jetton at the address of USDT: shops need no other constant. */
  readonly usdt: SimulatedJetton
  /**
   * The buyer's wallet pays a transfer on the chain, by the message that the gateway gave out. The gateway sees it
   * there, as it sees a payment by any other wallet, signs and delivers.
   * @returns once the trace has ended and the webhook is answered, or given up.
   * @throws {GatewayStandInError} (a rejection) when there is no such transfer, or the wallet sends nothing.
   * @throws {ConfigurationError} (a rejection) for an option that does not exist.
   */
  pay(reference: string, how?: ChainPayment): Promise<PaidOnChain>
  /**
   * Makes it what it was at its start, much faster than another start: chain, transfers and log; deliveries under way
   * end. The wallets and `usdt` stay as they are known, with what they had.
   */
  reset(): Promise<void>
  /** Ends deliveries and timers, and closes both servers. */
  close(): Promise<void>
}

const USDT = Address.parse('EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs')

/**
 * Starts a gateway stand-in over a simulated chain: transfers are paid by real contracts, noticed on the chain and told
 * to the shop, and both APIs of the chain tell the same hashes. Each simulator is on its own; close it when the test is
 * over.
 * @throws {ConfigurationError} when an option cannot work.
 * @example
 * ```ts
 * import { startSimulator } from '@tonplug/testing/simulator'
 *
 * const simulator = await startSimulator({
 *   url: 'http://127.0.0.1:3000/webhooks/ton',
 *   secret: 'whsec_test',
 * })
 * process.env['TONPAY_BASE_URL'] = simulator.urls.gateway
 *
 * const { reference } = simulator.gateway.createTransfer({ rawAmount: 10_500_000_000n })
 * const { report } = await simulator.pay(reference)
 * await simulator.close()
 * ```
 */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  checkOptionNames(options, Object.keys(NAMES))
  const { clock = systemClock, ports = {}, maxTransactions, dialect } = options
  checkOptionNames(ports, Object.keys(PORTS), 'ports.')
  checkPort('ports.gateway', ports.gateway)
  const chain = await createChainSimulator({
    now: () => Math.floor(clock.nowMs() / 1000),
    ...(ports.chain !== undefined && { port: ports.chain }),
    ...(maxTransactions !== undefined && { maxTransactions }),
    ...(dialect !== undefined && { dialect }),
  })
  try {
    return await openGateway(chain, { ...options, clock })
  } catch (error) {
    // Nobody else could.
    await chain.close()
    throw error
  }
}

/** The gateway over a chain that has begun. */
async function openGateway(
  chain: ChainSimulator,
  options: SimulatorOptions & { clock: Clock },
): Promise<Simulator> {
  const { assets = [], ports = {}, maxTransactions: _, dialect: __, ...ofGateway } = options
  const { merchant, buyer, usdt } = await populate(chain)
  const beginning = await chain.snapshot()
  const jettonAt = (master: string): SimulatedJetton | undefined =>
    chain.jettons.find((one) => canonicalAddress(one.master.toRawString()) === master)
  const gateway = createGatewayStandIn({
    ...ofGateway,
    recipientAddr: spell(merchant),
    senderAddr: spell(buyer),
    assets: (master) =>
      assets.find(({ asset }) => canonicalAddress(asset) === master) ?? describe(jettonAt(master)),
    jettonWallet: ({ master, owner }) =>
      jettonAt(canonicalAddress(master))?.walletOf(Address.parse(owner)).toString(),
  })
  const gatewayUrl = await gateway.listen(ports.gateway)
  const watch = watchChain(chain, gateway)
  const inTurn = createTurns()

  const pay: Simulator['pay'] = async (reference, options = {}) => {
    checkOptionNames(options, Object.keys(OF_PAYMENT))
    const { from = buyer, ...how } = options
    checkDelivery(how.delivery)
    const { delivery, times = 1, isUnnoticed = false, ...unusual } = how
    const most = from.version === 'v5' ? 255 : 4
    if (!Number.isInteger(times) || times < 1 || times > most) {
      throw badRequest(
        `times is ${times}; give a whole number from 1 to ${most}, as many as a wallet ${from.version} sends at once`,
      )
    }
    const message = gateway.message(reference)
    const { asset } = gateway.transfer(reference)
    const asked = asset === NATIVE_ASSET ? undefined : jettonAt(canonicalAddress(asset))
    if (asset !== NATIVE_ASSET && asked === undefined) {
      const text = `there is no jetton ${asset} on the chain; pay its transfers with gateway.pay`
      throw new GatewayStandInError({ status: 400, message: text })
    }
    const payment = paymentMessage({ message, from, asked }, unusual)
    const messages = Array.from({ length: times }, () => payment)
    const { root, reports } = await inTurn(from.address.toRawString(), async () => {
      const signed = await from.sign(messages)
      const { ended, forget } = watch.expect(signed, isUnnoticed ? 'unnoticed' : delivery)
      await chain.send(signed).catch(async (error: unknown) => {
        forget()
        const { balance } = await chain.account(from.address)
        if (error instanceof MessageRejectedError && balance === 0n) throw nothingSent(from, 0n)
        throw error
      })
      return ended
    })
    if (root.outMessages.length === 0) throw nothingSent(from, root.before.balance)
    return { transaction: root, report: join(await Promise.all(reports)) }
  }
  return {
    chain,
    gateway,
    urls: { chain: chain.url, gateway: gatewayUrl },
    merchant,
    buyer,
    usdt,
    pay,
    async reset() {
      watch.reset()
      await gateway.reset()
      await chain.restore(beginning)
      chain.isHolding = false
    },
    async close() {
      watch.close()
      await gateway.close()
      await chain.close()
    },
  }
}

/** Enough for every test. */
const WEALTH = 1_000_000

/** The accounts that are on every chain. */
async function populate(
  chain: ChainSimulator,
): Promise<Pick<Simulator, 'merchant' | 'buyer' | 'usdt'>> {
  const merchant = await chain.createWallet()
  const buyer = await chain.createWallet({ balance: toNano(WEALTH) })
  // Money for a wallet that was never deployed would come back.
  for (const wallet of [merchant, buyer]) await wallet.send([])
  const usdt = await chain.deployJetton({ master: USDT })
  await usdt.mint(buyer.address, BigInt(WEALTH) * 10n ** BigInt(usdt.decimals))
  return { merchant, buyer, usdt }
}

/** A wallet as apps show it. */
function spell({ address }: SimulatedWallet): string {
  return address.toString({ bounceable: false })
}

function describe(jetton: SimulatedJetton | undefined): StandInAsset | undefined {
  if (jetton === undefined) return undefined
  const { master, symbol, decimals } = jetton
  return { asset: master.toString(), ticker: symbol, decimals }
}

/** A wallet takes one message at a time: the next one is signed with the next number. */
function createTurns(): <Result>(key: string, work: () => Promise<Result>) => Promise<Result> {
  const last = new Map<string, Promise<unknown>>()
  return (key, work) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(work)
    last.set(
      key,
      turn.catch(() => undefined),
    )
    return turn
  }
}

function join(reports: readonly DeliveryReport[]): DeliveryReport {
  return {
    isDelivered: reports.length > 0 && reports.every(({ isDelivered }) => isDelivered),
    attempts: reports.flatMap(({ attempts }) => attempts),
  }
}

function nothingSent(from: SimulatedWallet, balance: bigint): GatewayStandInError {
  const message = `the wallet ${spell(from)} sent nothing: it has ${balance} nanocoins; \`chain.fund\` gives it more`
  return new GatewayStandInError({ status: 409, message })
}

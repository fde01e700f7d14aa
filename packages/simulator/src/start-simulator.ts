import { Address, toNano } from '@ton/core'
import {
  canonicalAddress,
  NATIVE_ASSET,
  parseOptions,
  systemClock,
  type Clock,
} from '@tonplug/core'
import { z } from 'zod'
import {
  checkDelivery,
  createMockGateway,
  MockGatewayError,
  type DeliveryReport,
  type MockGateway,
  type MockGatewayAsset,
  type MockGatewayOptions,
  type DeliveryChoice,
} from '@tonplug/testing'
import { createChainSimulator, type ChainSimulator } from './chain-simulator.js'
import type { RecordedTransaction } from './chain/recorded-transaction.js'
import type { SimulatedJetton } from './chain/simulated-jetton.js'
import type { SimulatedWallet } from './chain/simulated-wallet.js'
import { port } from './shared/check-options.js'
import { MessageRejectedError } from './chain/message-rejected-error.js'
import type { V2Dialect } from './v2/method-call.js'
import { watchChain } from './chain-watch.js'
import { paymentMessage, type PaymentMessageOptions } from './payment-message.js'

/** Options of a simulator: those of the mock gateway, and some of the chain. */
export interface SimulatorOptions extends Omit<
  MockGatewayOptions,
  'recipientAddr' | 'senderAddr' | 'jettonWallet' | 'assets'
> {
  /** The clock of the gateway and of the chain. @default the system clock */
  clock?: Clock | undefined
  /** Further jettons of the gateway, besides those on the chain. @default [] */
  assets?: readonly MockGatewayAsset[] | undefined
  /** Number of transactions that the chain keeps; each takes about 25 KB. @default 10_000 */
  maxTransactions?: number | undefined
  /** The simulated server of API v2. @default 'cpp', the newer one */
  dialect?: V2Dialect | undefined
  /** Ports of the two servers on the loopback interface. @default free ports */
  ports?: { chain?: number | undefined; gateway?: number | undefined } | undefined
}

// The gateway and the chain check their values.
const field = z.any().optional()

const OPTIONS = z.strictObject({
  url: field,
  secret: field,
  clock: field,
  header: field,
  apiKey: field,
  assets: field,
  maxTransfers: field,
  maxAttempts: field,
  fetch: field,
  maxTransactions: field,
  dialect: field,
  ports: z.strictObject({ chain: port.optional(), gateway: port.optional() }).optional(),
} satisfies Record<keyof SimulatorOptions, z.ZodType>)

const PAYMENT_OPTIONS = z.strictObject({
  from: field,
  times: field,
  isUnnoticed: field,
  delivery: field,
  rawAmount: field,
  to: field,
  jetton: field,
  isBounced: field,
} satisfies Record<keyof ChainPayment, z.ZodType>)

/** Options of a payment; omitted fields are as in the transfer. */
export interface ChainPayment extends PaymentMessageOptions, DeliveryChoice {
  /** The paying wallet. @default the simulator's buyer */
  from?: SimulatedWallet | undefined
  /** Number of equal messages in one transaction of the wallet; each is a payment. @default 1 */
  times?: number | undefined
  /** Hides the payment from the gateway: the status does not change, and no webhook is sent. @default false */
  isUnnoticed?: boolean | undefined
}

/** The result of a payment. */
export interface ChainPaymentResult {
  /** The wallet's transaction, which is the root of the trace. Its hash is the transfer's `traceId`. */
  transaction: RecordedTransaction
  /** The result of the webhook deliveries; without a webhook it has no attempts. */
  report: DeliveryReport
}

/** A simulated chain with wallets, and a mock payment gateway that watches it. */
export interface Simulator {
  readonly chain: ChainSimulator
  /** The running gateway, which detects payments on the chain. */
  readonly gateway: MockGateway
  readonly urls: {
    /** What `createV2Client` and `createV3Client` take for `baseUrl`. */
    readonly chain: string
    /** What `@ton-pay/api` takes for `TONPAY_BASE_URL`, and `createTransferClient` for `baseUrl`. */
    readonly gateway: string
  }
  /** The default recipient of transfers. */
  readonly merchant: SimulatedWallet
  /** The default sender of transfers, with a million of the native coin and of `usdt`. */
  readonly buyer: SimulatedWallet
  /** A jetton at the mainnet address of USDT. */
  readonly usdt: SimulatedJetton
  /**
   * Pays a transfer on the chain: the buyer's wallet sends the message of the transfer. The gateway detects the
   * payment, as it does for any wallet, and delivers its signed webhook.
   * @returns when the trace is complete, and the webhook was acknowledged or its last retry has failed.
   * @throws {MockGatewayError} (a rejection) when the transfer does not exist, or the wallet sends nothing.
   * @throws {ConfigurationError} (a rejection) for an option that does not exist.
   */
  pay(reference: string, options?: ChainPayment): Promise<ChainPaymentResult>
  /**
   * Restores the initial state of chain, transfers and log, much faster than a new simulator, and ends running
   * deliveries.
   * The wallets and `usdt` have their initial balances again.
   */
  reset(): Promise<void>
  /** Ends deliveries and timers, and closes both servers. */
  close(): Promise<void>
}

const USDT = Address.parse('EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs')

/**
 * Starts a mock gateway on a simulated chain. Real contracts pay the transfers, the gateway detects the payments on
 * the chain and delivers their webhooks, and both APIs of the chain return the same hashes. Simulators share nothing;
 * close
 * each one at the end of its test.
 * @throws {ConfigurationError} when an option is invalid.
 * @example
 * ```ts
 * import { startSimulator } from '@tonplug/simulator'
 *
 * const simulator = await startSimulator({
 * url: 'http://127.0.0.1:3000/webhooks/ton',
 * secret: 'whsec_test',
 * })
 * process.env['TONPAY_BASE_URL'] = simulator.urls.gateway
 *
 * const { reference } = simulator.gateway.createTransfer({ rawAmount: 10_500_000_000n })
 * const { report } = await simulator.pay(reference)
 * await simulator.close()
 * ```
 */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  parseOptions(OPTIONS, options)
  const { clock = systemClock, ports = {}, maxTransactions, dialect } = options
  const chain = await createChainSimulator({
    now: () => Math.floor(clock.nowMs() / 1000),
    ...(ports.chain !== undefined && { port: ports.chain }),
    ...(maxTransactions !== undefined && { maxTransactions }),
    ...(dialect !== undefined && { dialect }),
  })
  try {
    return await openGateway(chain, { ...options, clock })
  } catch (error) {
    // The caller has no reference to the chain.
    await chain.close()
    throw error
  }
}

/** Opens the gateway on a running chain. */
async function openGateway(
  chain: ChainSimulator,
  options: SimulatorOptions & { clock: Clock },
): Promise<Simulator> {
  const { assets = [], ports = {}, maxTransactions: _, dialect: __, ...ofGateway } = options
  const { merchant, buyer, usdt } = await populate(chain)
  const beginning = await chain.snapshot()
  const jettonAt = (master: string): SimulatedJetton | undefined =>
    chain.jettons.find((one) => canonicalAddress(one.master.toRawString()) === master)
  const gateway = createMockGateway({
    ...ofGateway,
    recipientAddr: formatAddress(merchant),
    senderAddr: formatAddress(buyer),
    assets: (master) =>
      assets.find(({ asset }) => canonicalAddress(asset) === master) ?? assetOf(jettonAt(master)),
    jettonWallet: ({ master, owner }) =>
      jettonAt(canonicalAddress(master))?.walletOf(Address.parse(owner)).toString(),
  })
  const gatewayUrl = await gateway.listen(ports.gateway)
  const watch = watchChain(chain, gateway)
  const enqueue = createSerialQueue()

  const pay: Simulator['pay'] = async (reference, options = {}) => {
    parseOptions(PAYMENT_OPTIONS, options)
    const { from = buyer, ...payment } = options
    checkDelivery(payment.delivery)
    const { delivery, times = 1, isUnnoticed = false, ...deviations } = payment
    const most = from.version === 'v5' ? 255 : 4
    if (!Number.isInteger(times) || times < 1 || times > most) {
      const message = `times must be a whole number from 1 to ${most}, the limit of a ${from.version} wallet; received ${times}`
      throw new MockGatewayError({ status: 400, message })
    }
    const message = gateway.message(reference)
    const { asset } = gateway.transfer(reference)
    const requested = asset === NATIVE_ASSET ? undefined : jettonAt(canonicalAddress(asset))
    if (asset !== NATIVE_ASSET && requested === undefined) {
      const text = `the chain has no jetton ${asset}; use gateway.pay for its transfers`
      throw new MockGatewayError({ status: 400, message: text })
    }
    const paying = paymentMessage({ message, from, requested }, deviations)
    const messages = Array.from({ length: times }, () => paying)
    const { root, reports } = await enqueue(from.address.toRawString(), async () => {
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
    return { transaction: root, report: mergeReports(await Promise.all(reports)) }
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

/** A balance that is enough for every test. */
const INITIAL_BALANCE = 1_000_000

/** Creates the initial accounts of a chain. */
async function populate(
  chain: ChainSimulator,
): Promise<Pick<Simulator, 'merchant' | 'buyer' | 'usdt'>> {
  const merchant = await chain.createWallet()
  const buyer = await chain.createWallet({ balance: toNano(INITIAL_BALANCE) })
  // An account that is not deployed would bounce coins.
  for (const wallet of [merchant, buyer]) await wallet.send([])
  const usdt = await chain.deployJetton({ master: USDT })
  await usdt.mint(buyer.address, BigInt(INITIAL_BALANCE) * 10n ** BigInt(usdt.decimals))
  return { merchant, buyer, usdt }
}

/** Formats a wallet's address as wallet apps do. */
function formatAddress({ address }: SimulatedWallet): string {
  return address.toString({ bounceable: false })
}

function assetOf(jetton: SimulatedJetton | undefined): MockGatewayAsset | undefined {
  if (jetton === undefined) return undefined
  const { master, symbol, decimals } = jetton
  return { asset: master.toString(), ticker: symbol, decimals }
}

/** Runs the calls of each key one after another: each message of a wallet needs the next seqno. */
function createSerialQueue(): <Result>(
  key: string,
  work: () => Promise<Result>,
) => Promise<Result> {
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

function mergeReports(reports: readonly DeliveryReport[]): DeliveryReport {
  return {
    isDelivered: reports.length > 0 && reports.every(({ isDelivered }) => isDelivered),
    attempts: reports.flatMap(({ attempts }) => attempts),
  }
}

function nothingSent(from: SimulatedWallet, balance: bigint): MockGatewayError {
  const message = `the wallet ${formatAddress(from)} sent nothing: its balance is ${balance} nanocoins; add coins with chain.fund`
  return new MockGatewayError({ status: 409, message })
}

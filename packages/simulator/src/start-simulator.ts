import { Address } from '@ton/core'
import { canonicalAddress, systemClock, type Clock } from '@tonplug/core'
import { parseOptions } from '@tonplug/core/internal'
import { z } from 'zod'
import {
  createMockGateway,
  type MockGateway,
  type MockGatewayAsset,
  type MockGatewayOptions,
} from '@tonplug/testing'
import { createChainSimulator, type ChainSimulator } from './chain-simulator.js'
import type { SimulatedJetton } from './chain/simulated-jetton.js'
import { port } from './shared/check-options.js'
import { createSerialQueue } from './shared/serial-queue.js'
import type { V2Dialect } from './v2/method-call.js'
import { watchChain } from './chain-watch.js'
import { createShopAccounts, type ShopAccounts } from './shop-accounts.js'
import {
  formatAddress,
  jettonAt,
  payOnChain,
  type ChainPayment,
  type ChainPaymentResult,
} from './pay-on-chain.js'

/** Options of a simulator: of the mock gateway, and some of the chain. */
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

/**
 * A simulated chain with wallets, and a mock payment gateway that watches it. The merchant is the default recipient of
 * transfers, the buyer their default sender.
 */
export interface Simulator extends ShopAccounts {
  readonly chain: ChainSimulator
  /** The running gateway, which detects payments on the chain. */
  readonly gateway: MockGateway
  readonly urls: {
    /** What `createV2Client` and `createV3Client` take for `baseUrl`. */
    readonly chain: string
    /** What `@ton-pay/api` takes for `TONPAY_BASE_URL`, and `createTransferClient` for `baseUrl`. */
    readonly gateway: string
  }
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
   * deliveries. The wallets and `usdt` have their initial balances again.
   */
  reset(): Promise<void>
  /** Ends deliveries and timers, and closes both servers. */
  close(): Promise<void>
}

/**
 * Starts a mock gateway on a simulated chain. Real contracts pay the transfers, the gateway detects the payments on
 * the chain and delivers their webhooks, and both APIs of the chain return the same hashes. Simulators share nothing;
 * close each one at the end of its test.
 * @throws {ConfigurationError} when an option is invalid.
 * @example
 * ```ts
 * import { startSimulator } from '@tonplug/simulator'
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
  const accounts = await createShopAccounts(chain)
  const { merchant, buyer } = accounts
  const beginning = await chain.snapshot()
  const gateway = createMockGateway({
    ...ofGateway,
    recipientAddr: formatAddress(merchant),
    senderAddr: formatAddress(buyer),
    assets: (master) =>
      assets.find(({ asset }) => canonicalAddress(asset) === master) ??
      assetOf(jettonAt(chain, master)),
    jettonWallet: ({ master, owner }) =>
      jettonAt(chain, master)?.walletOf(Address.parse(owner)).toString(),
  })
  const gatewayUrl = await gateway.listen(ports.gateway)
  const watch = watchChain(chain, gateway)
  const parts = { chain, gateway, watch, buyer, enqueue: createSerialQueue() }
  return {
    chain,
    gateway,
    urls: { chain: chain.url, gateway: gatewayUrl },
    ...accounts,
    pay: (reference, payment) => payOnChain(parts, reference, payment),
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

function assetOf(jetton: SimulatedJetton | undefined): MockGatewayAsset | undefined {
  if (jetton === undefined) return undefined
  const { master, symbol, decimals } = jetton
  return { asset: master.toString(), ticker: symbol, decimals }
}

import type { V3Client } from '@tonplug/core/toncenter'
import { parseOptions } from '@tonplug/core/internal'
import {
  canonicalAddress,
  type Clock,
  type Logger,
  consoleLogger,
  systemClock,
} from '@tonplug/core'
import { z } from 'zod'
import type { MockGateway } from './mock-gateway.js'
import { readNetworkPayment } from './network-payment.js'
import { MockGatewayError } from './mock-gateway-error.js'
import type { TransferStatus } from './transfer.js'

/** Options of {@link watchNetwork}. */
export interface NetworkWatchOptions {
  /** A client of the network, for example of a local node or the testnet. Its rate limit applies. */
  v3: Pick<V3Client, 'messages' | 'traces'>
  /** Polling interval for a new transfer, milliseconds; for older ones a tenth of their age. @default 2000 */
  pollMs?: number | undefined
  /** The clock of the gateway. @default systemClock */
  clock?: Clock | undefined
  /** @default consoleLogger */
  logger?: Logger | undefined
}

const OPTIONS = z.strictObject({
  v3: z.custom<NetworkWatchOptions['v3']>(
    (value) => typeof value === 'object' && value !== null,
    'must be the result of createV3Client()',
  ),
  pollMs: z.number().positive().default(2000),
  clock: z.custom<Clock>().default(() => systemClock),
  logger: z.custom<Logger>().default(() => consoleLogger),
} satisfies Record<keyof NetworkWatchOptions, z.ZodType>)

/** A watch of a network. */
export interface NetworkWatch {
  /** Polls once for each transfer that is due; a concurrent call waits for the running poll. */
  look(): Promise<void>
  /** Ends the watch and its running poll. */
  close(): Promise<void>
}

/** The state of a watch. */
interface Watch extends Required<z.output<typeof OPTIONS>> {
  gateway: MockGateway
  /** Aborted when the watch is closed. */
  signal: AbortSignal
  /** Open transfers by their reference. */
  transfers: Map<string, WatchedTransfer>
}

interface WatchedTransfer {
  firstMs: number
  nextMs: number
  /** Transactions that were reported: a failed one does not end the watch. */
  reported: Set<string>
}

/** The polling interval of an old transfer is its age divided by this number. */
const AGE_DIVISOR = 10
/** Largest number of payments with one body hash. */
const LIMIT = 20

/**
 * Connects a mock gateway to a network instead of a simulated chain: it searches final blocks for the body hashes of open
 * transfers and delivers the webhooks of their payments. A request that fails is repeated later, and finds payments that
 * were made in the meantime.
 * @throws {ConfigurationError} for an option that does not exist.
 * @example
 * ```ts
 * import { createV3Client } from '@tonplug/core/toncenter'
 * import { createMockGateway, findJettonWalletBy, watchNetwork } from '@tonplug/testing'
 *
 * const v3 = createV3Client({ network: 'testnet' })
 * const gateway = createMockGateway({
 *   url: 'http://127.0.0.1:3000/webhooks/ton',
 *   secret: 'whsec_test',
 *   recipientAddr: '0QApAdacOHpJfIJ01ztI2pzn9rjZHCGcvQwGSOjgAm3E5eKf',
 *   jettonWallet: findJettonWalletBy(v3),
 * })
 * const watch = watchNetwork(gateway, { v3 })
 * // At the end:
 * await watch.close()
 * await gateway.close()
 * ```
 */
export function watchNetwork(gateway: MockGateway, options: NetworkWatchOptions): NetworkWatch {
  const closing = new AbortController()
  const { signal } = closing
  const watch = { ...parseOptions(OPTIONS, options), gateway, signal, transfers: new Map() }
  let polling: Promise<void> | undefined
  let cancelTimer = (): void => undefined

  const look = (): Promise<void> =>
    (polling ??= pollDue(watch).finally(() => (polling = undefined)))
  const schedule = (): void => {
    if (signal.aborted) return
    cancelTimer = watch.clock.setTimer(() => void look().then(schedule), watch.pollMs)
  }
  schedule()

  return {
    look,
    async close() {
      closing.abort(new DOMException('the watch was closed', 'AbortError'))
      cancelTimer()
      await polling
    },
  }
}

/** Polls once for each open transfer that is due. */
async function pollDue(watch: Watch): Promise<void> {
  const { gateway, transfers, clock, pollMs, signal, logger } = watch
  const open = gateway.transfers().filter(({ status }) => status !== 'success')
  const references = new Set(open.map(({ reference }) => reference))
  for (const known of transfers.keys()) if (!references.has(known)) transfers.delete(known)
  for (const transfer of open) {
    const nowMs = clock.nowMs()
    const { reference } = transfer
    const one = transfers.get(reference) ?? { firstMs: nowMs, nextMs: nowMs, reported: new Set() }
    transfers.set(reference, one)
    if (one.nextMs > nowMs || signal.aborted) continue
    one.nextMs = nowMs + Math.max(pollMs, (nowMs - one.firstMs) / AGE_DIVISOR)
    await poll(watch, transfer, one.reported).catch((error: unknown) => {
      if (!signal.aborted) logger.warn('network request failed', facts(error))
    })
  }
}

/** Searches for payments of a transfer and reports them. */
async function poll(
  { v3, gateway, signal, logger }: Watch,
  transfer: TransferStatus,
  reported: Set<string>,
): Promise<void> {
  const { reference, bodyBase64Hash: body_hash } = transfer
  const page = { body_hash, direction: 'in', limit: LIMIT, sort: 'asc' } as const
  const { messages } = await v3.messages(page, { signal })
  for (const { in_msg_tx_hash: hash } of messages) {
    if (hash === undefined || reported.has(hash)) continue
    const query = { tx_hash: [hash], include_actions: true, limit: 1 }
    const seen = readNetworkPayment(await v3.traces(query, { signal }), transfer)
    if (seen === undefined || signal.aborted) continue
    reported.add(hash)
    const report =
      seen.kind === 'paid'
        ? gateway.pay(reference, seen.payment)
        : gateway.fail(reference, seen.failure)
    // The delivery log contains the result of the webhook; a payment that the mock refuses is logged here.
    report.catch((error: unknown) => logger.warn('payment webhook failed', facts(error)))
    if (seen.kind === 'paid') return
  }
}

/**
 * Returns a function that finds jetton wallets in the index of a network: the option `jettonWallet` of a mock gateway whose
 * transfers are paid there.
 */
export function findJettonWalletBy(
  v3: Pick<V3Client, 'jettonWallets'>,
): (jetton: { master: string; owner: string }) => Promise<string | undefined> {
  return async ({ master, owner }) => {
    const parameters = { owner_address: [owner], jetton_address: [master], limit: 1 }
    try {
      const [wallet] = (await v3.jettonWallets(parameters)).jetton_wallets
      // A server may ignore a filter.
      const isWanted =
        wallet !== undefined && isSame(wallet.owner, owner) && isSame(wallet.jetton, master)
      return isWanted ? wallet.address : undefined
    } catch (error) {
      const message = `the buyer's jetton wallet is unavailable: ${facts(error).error}`
      throw new MockGatewayError({ status: 503, message })
    }
  }
}

function isSame(one: string, other: string): boolean {
  return canonicalAddress(one) === canonicalAddress(other)
}

function facts(error: unknown): { error: string } {
  return { error: error instanceof Error ? error.message : String(error) }
}

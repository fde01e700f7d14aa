import {
  checkOptionNames,
  type Clock,
  type Logger,
  consoleLogger,
  systemClock,
  type V3Client,
} from '@tonplug/core'
import type { GatewayStandIn } from './gateway-stand-in.js'
import { readNetworkPayment } from './network-payment.js'
import { GatewayStandInError } from './stand-in-error.js'
import type { TransferStatus } from './transfer.js'

/** How a network is watched. */
export interface NetworkWatchOptions {
  /** A client of the network: a local node's, or the testnet's. Its rate limit is kept. */
  v3: Pick<V3Client, 'messages' | 'traces'>
  /** How often a new transfer is looked for, milliseconds; older ones wait a tenth of their age. @default 2000 */
  pollMs?: number | undefined
  /** The gateway's own. @default the machine's clock */
  clock?: Clock | undefined
  /** @default consoleLogger */
  logger?: Logger | undefined
}

const NAMES: Record<keyof NetworkWatchOptions, true> = {
  v3: true,
  pollMs: true,
  clock: true,
  logger: true,
}

/** A watch over a network. */
export interface NetworkWatch {
  /** Looks once for each transfer whose time has come; a call while one looks waits for that look. */
  look(): Promise<void>
  /** Ends it, and the look under way. */
  close(): Promise<void>
}

/** A transfer that is open. */
interface Watched {
  firstMs: number
  nextMs: number
  /** Transactions that were told: one that failed does not end the watch. */
  told: Set<string>
}

/** How old transfers wait between two looks: this part of their age. */
const PATIENCE = 10
/** Payments of one body that are looked at. */
const LIMIT = 20

/**
 * Has a gateway stand-in see payments on a network, in place of a simulated chain: it looks for the bodies of the
 * transfers that are open, in final blocks, and delivers the webhook of what it finds. What it cannot ask now it asks
 * later; a transfer that was paid meanwhile is found then.
 * @throws {ConfigurationError} for an option that does not exist.
 * @example
 * ```ts
 * import { createV3Client } from '@tonplug/core'
 * import { createGatewayStandIn, findJettonWalletBy, watchNetwork } from '@tonplug/testing'
 *
 * const v3 = createV3Client({ network: 'testnet' })
 * const gateway = createGatewayStandIn({
 *   url: 'http://127.0.0.1:3000/webhooks/ton',
 *   secret: 'whsec_test',
 *   recipientAddr: '0QApAdacOHpJfIJ01ztI2pzn9rjZHCGcvQwGSOjgAm3E5eKf',
 *   jettonWallet: findJettonWalletBy(v3),
 * })
 * const watch = watchNetwork(gateway, { v3 })
 * // … and in the end
 * await watch.close()
 * await gateway.close()
 * ```
 */
export function watchNetwork(gateway: GatewayStandIn, options: NetworkWatchOptions): NetworkWatch {
  checkOptionNames(options, Object.keys(NAMES))
  const { v3, pollMs = 2000, clock = systemClock, logger = consoleLogger } = options
  const closing = new AbortController()
  const { signal } = closing
  const watched = new Map<string, Watched>()
  let looking: Promise<void> | undefined
  let cancelTimer = (): void => undefined

  const ask = async (transfer: TransferStatus, told: Set<string>): Promise<void> => {
    const { reference, bodyBase64Hash: body_hash } = transfer
    const page = { body_hash, direction: 'in' as const, limit: LIMIT, sort: 'asc' as const }
    const { messages } = await v3.messages(page, { signal })
    for (const { in_msg_tx_hash: hash } of messages) {
      if (hash === undefined || told.has(hash)) continue
      const found = await v3.traces(
        { tx_hash: [hash], include_actions: true, limit: 1 },
        { signal },
      )
      const seen = readNetworkPayment(found, transfer)
      if (seen === undefined || signal.aborted) continue
      told.add(hash)
      const report =
        seen.kind === 'paid'
          ? gateway.pay(reference, seen.payment)
          : gateway.fail(reference, seen.failure)
      // Its log tells what became of the webhook; a payment that it cannot take is told here.
      report.catch((error: unknown) => logger.warn('a payment cannot be told', facts(error)))
      if (seen.kind === 'paid') return
    }
  }
  const lookAtAll = async (): Promise<void> => {
    const open = gateway.transfers().filter(({ status }) => status !== 'success')
    const references = new Set(open.map(({ reference }) => reference))
    for (const known of watched.keys()) if (!references.has(known)) watched.delete(known)
    for (const transfer of open) {
      const nowMs = clock.nowMs()
      const { reference } = transfer
      const one = watched.get(reference) ?? { firstMs: nowMs, nextMs: nowMs, told: new Set() }
      watched.set(reference, one)
      if (one.nextMs > nowMs || signal.aborted) continue
      one.nextMs = nowMs + Math.max(pollMs, (nowMs - one.firstMs) / PATIENCE)
      await ask(transfer, one.told).catch((error: unknown) => {
        if (!signal.aborted) logger.warn('the network cannot be asked; later again', facts(error))
      })
    }
  }
  const look = (): Promise<void> => (looking ??= lookAtAll().finally(() => (looking = undefined)))
  const schedule = (): void => {
    if (signal.aborted) return
    cancelTimer = clock.setTimer(() => void look().then(schedule), pollMs)
  }
  schedule()

  return {
    look,
    async close() {
      closing.abort(new DOMException('the watch was closed', 'AbortError'))
      cancelTimer()
      await looking
    },
  }
}

/**
 * Tells jetton wallets as a network's index knows them: the `jettonWallet` of a stand-in whose transfers are paid there.
 */
export function findJettonWalletBy(
  v3: Pick<V3Client, 'jettonWallets'>,
): (jetton: { master: string; owner: string }) => Promise<string | undefined> {
  return async ({ master, owner }) => {
    const asked = { owner_address: [owner], jetton_address: [master], limit: 1 }
    try {
      return (await v3.jettonWallets(asked)).jetton_wallets[0]?.address
    } catch (error) {
      const message = `the network does not tell the buyer's jetton wallet: ${facts(error).error}`
      throw new GatewayStandInError({ status: 503, message })
    }
  }
}

function facts(error: unknown): { error: string } {
  return { error: error instanceof Error ? error.message : String(error) }
}

import { type JsonFields, readChoice, readCount, readText } from '../json-fields.js'
import { PageRequestError } from '../page-request-error.js'
import type { BackendWallet } from '../backend-wallet.js'
import { formatAddress, type DevChain } from './dev-chain.js'
import { createOpenOrders, type OpenOrder } from './open-orders.js'
import { VARIANTS } from './pay-link.js'
import { isAddress } from './payment-link.js'
import { createShopStatuses } from './shop-status.js'

/** The longest step of the time: 30 days. */
const MOST_SECONDS = 30 * 86_400

const FRIENDLY = /^[\w-]{48}$/
const NO_ADDRESS = 'The address must be one of a wallet app, for example UQ… or 0Q….'

/** A variable of the shop's environment. */
export interface ShopVariable {
  name: string
  value: string
}

/** The state of the simulated chain on the page. */
export interface ChainState {
  environment: ShopVariable[]
  /** The route of the shop that is asked for the status of an order. */
  shopRoute: string
  /** The newest block. */
  block: { seqno: number; atMs: number }
  /** Milliseconds by which the chain is ahead of this machine. */
  aheadMs: number
  wallets: BackendWallet[]
  orders: OpenOrder[]
  /** True ten seconds after the first payment, when the shop has reported no decision. */
  isDecisionOverdue: boolean
}

/** The operations of the page on the chain. */
export interface ChainApi {
  state(): Promise<ChainState>
  /** Returns the variables that point a shop at the chain. */
  environment(): ShopVariable[]
  /** Opens the order of a `link`. @throws {PageRequestError} when the link is invalid. */
  open(fields: JsonFields): { id: string }
  /** Pays an order as `variant`, one of {@link VARIANTS}. @throws {PageRequestError} when it cannot be begun. */
  pay(id: string, fields: JsonFields): Promise<void>
  /** Takes a decision of the shop: its `kind`, and the `txHash` of a transaction of the payment. */
  decided(fields: JsonFields): void
  /** Sends coins of the faucet to an `address`. @throws {PageRequestError} for an invalid address. */
  fund(fields: JsonFields): Promise<void>
  /** Moves the time on by `seconds`. @throws {PageRequestError} when they are invalid. */
  moveOn(fields: JsonFields): Promise<void>
  /** Calls `listener` after each change. Returns the function that unsubscribes. */
  onChange(listener: () => void): () => void
  /** Ends the requests to the shop. */
  close(): void
}

/** Addresses that a page shows. */
export interface ChainAddresses {
  /** A URL with `:reference`. */
  shopRoute: string
  /** Returns the URL of the page. */
  pageUrl: () => string
}

/** Creates the operations. */
export function createChainApi(dev: DevChain, { shopRoute, pageUrl }: ChainAddresses): ChainApi {
  const listeners = new Set<() => void>()
  const notify = (): void => listeners.forEach((listener) => listener())
  const statuses = createShopStatuses(shopRoute)
  const orders = createOpenOrders(dev, statuses, notify)
  const environment = (): ShopVariable[] => [
    ...shopEnvironment(dev),
    { name: 'TONPLUG_DECISIONS_URL', value: `${pageUrl()}/api/decisions` },
  ]
  const stopBlocks = dev.chain.onBlock(notify)
  return {
    async state() {
      // There is always a block.
      const { seqno, utime } = dev.chain.blocks.at(-1)!
      return {
        environment: environment(),
        shopRoute,
        block: { seqno, atMs: utime * 1000 },
        aheadMs: dev.clock.aheadMs,
        wallets: await dev.wallets(),
        orders: orders.list(),
        isDecisionOverdue: orders.isDecisionOverdue(),
      }
    },
    environment,
    open: (fields) => ({ id: orders.open(readText(fields, 'link')).id }),
    pay: async (id, fields) => orders.pay(id, readChoice(fields, 'variant', VARIANTS)),
    decided: (fields) => orders.decided(readText(fields, 'txHash'), readText(fields, 'kind')),
    async fund(fields) {
      const address = readText(fields, 'address').trim()
      if (!FRIENDLY.test(address) || !isAddress(address))
        throw new PageRequestError(400, NO_ADDRESS)
      await dev.fund(address)
    },
    moveOn: (fields) => dev.moveOn(readCount(fields, 'seconds', { least: 1, most: MOST_SECONDS })),
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    close() {
      stopBlocks()
      statuses.close()
    },
  }
}

function shopEnvironment({ chain, accounts }: DevChain): ShopVariable[] {
  return [
    { name: 'SHOP_WALLET', value: formatAddress(accounts.merchant) },
    { name: 'NETWORK', value: 'testnet' },
    { name: 'TONCENTER_URL', value: chain.url },
    { name: 'USDT_MASTER', value: accounts.usdt.master.toString() },
  ]
}

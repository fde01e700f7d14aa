import { addressFlags, canonicalAddress, friendlyAddress } from './address.js'
import type { Clock } from './clock.js'
import { ConfigurationError } from './configuration-error.js'
import { describeType } from './describe-type.js'
import { embeddedRequest } from './embedded-request.js'
import { checkExpiry, secondsOf } from './invoice-expiry.js'
import { isObject } from './is-object.js'
import type {
  TonConnectItem,
  TonConnectItems,
  PayerMessage,
  TonConnectMessages,
  UnstampedItems,
} from './ton-connect-request.js'

/** Options of {@link TonConnect}. */
export interface TonConnectOptions {
  /** The wallet that is connected, in any format. Pass it for a wallet that declares no `itemTypes`. */
  sender?: string | undefined
  /**
   * Receives the coins that a jetton transfer leaves over, for example the relay that pays the fees. Unused for the native
   * coin. @default the payer
   */
  responseDestination?: string | undefined
}

/** Returns requests of TON Connect for one payment. */
export interface TonConnect {
  /** Returns messages for one payer. For a jetton, its contracts are asked for the payer's jetton wallet. */
  (options: TonConnectOptions & { sender: string }): Promise<TonConnectMessages>
  /** Returns structured items for any payer, without a request. */
  (options?: TonConnectOptions & { sender?: undefined }): Promise<TonConnectItems>
  (options?: TonConnectOptions): Promise<TonConnectMessages | TonConnectItems>
}

/** The requests of TON Connect for one payment. */
export interface ConnectRequests {
  /**
   * Returns the argument of `sendTransaction` of TON Connect (`SendTransactionRequest`), as JSON values: `items` for a wallet
   * that declares `itemTypes`, and `messages` with a `sender`.
   * @throws {AddressError} for an invalid address.
   * @throws {ConfigurationError} when the sender cannot pay this invoice.
   * @throws {InvoiceExpiredError} (`ERR_TONPLUG_INVOICE_EXPIRED`) after `expiresAt`.
   */
  readonly tonConnect: TonConnect
  /**
   * Returns the items as an embedded request: the value of the parameter `e` of a connect link, base64url. Wallets ignore
   * a connect link of more than 1,024 characters.
   * @throws {AddressError} for an invalid address.
   * @throws {InvoiceExpiredError} (`ERR_TONPLUG_INVOICE_EXPIRED`) after `expiresAt`.
   */
  readonly embedded: (options?: Pick<TonConnectOptions, 'responseDestination'>) => string
}

/** Facts of the requests of TON Connect for one payment. */
export interface ConnectFacts {
  reference: string
  network: 'mainnet' | 'testnet' | undefined
  expiresAt?: Date | undefined
  clock: Clock
  /** The only wallet that can pay, canonical. */
  from?: string | undefined
  itemOf: (options: Pick<TonConnectOptions, 'responseDestination'>) => TonConnectItem
  /** Returns the message of a payer. @param options.sender canonical */
  messageOf: (
    options: TonConnectOptions & { sender: string },
  ) => PayerMessage | Promise<PayerMessage>
}

/** The ids of the networks in TON Connect. */
export const CHAIN_IDS = { mainnet: '-239', testnet: '-3' } as const
/** The SDK warns when a request is valid for longer. */
const MOST_SECONDS = 300

/** Returns the requests of a payment, and its items without an end. */
export function connectRequests(
  facts: ConnectFacts,
): ConnectRequests & { unstamped: () => UnstampedItems } {
  const { network, from } = facts
  const unstamped = (options: TonConnectOptions = {}): UnstampedItems => ({
    ...(network && { network: CHAIN_IDS[network] }),
    ...(from !== undefined && { from }),
    items: [facts.itemOf(options)],
  })
  const stampedItems = (options: TonConnectOptions): TonConnectItems => ({
    validUntil: validUntilOf(facts),
    ...unstamped(options),
  })
  async function tonConnect(given: TonConnectOptions = {}) {
    const { sender, ...options } = checkOptions(given)
    if (sender === undefined) return stampedItems(options)
    const payer = canonicalAddress(sender)
    const message = await facts.messageOf({ ...options, sender: payer })
    return {
      validUntil: validUntilOf(facts),
      ...(network && { network: CHAIN_IDS[network] }),
      from: payer,
      messages: [message],
    }
  }
  return {
    // The overloads state the returned form.
    tonConnect: tonConnect as TonConnect,
    embedded: (given = {}) => embeddedRequest(stampedItems(checkOptions(given))),
    unstamped,
  }
}

/** A string would otherwise count as options without a sender. */
function checkOptions(options: TonConnectOptions): TonConnectOptions {
  if (isObject(options)) return options
  const problem = `must be an object, for example { sender }; received ${describeType(options)}`
  throw new ConfigurationError({ option: 'options', problem })
}

/** @throws {InvoiceExpiredError} when the invoice has expired. */
function validUntilOf({ reference, expiresAt, clock }: ConnectFacts): number {
  checkExpiry({ reference, expiresAt }, clock)
  const end = secondsOf(expiresAt?.getTime() ?? Infinity)
  return Math.min(secondsOf(clock.nowMs()) + MOST_SECONDS, end)
}

/** Returns a friendly address with the flags that it was given; a raw one becomes non-bounceable. */
export function shownAddress(address: string, { isTestOnly }: { isTestOnly: boolean }): string {
  const { isBounceable = false } = addressFlags(address) ?? {}
  return friendlyAddress(address, { isBounceable, isTestOnly })
}

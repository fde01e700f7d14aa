import { transferLink, type TransferRequest } from './transfer-link.js'
import { walletLinks, type WalletLinks } from './wallet-links.js'
import type { UnstampedItems } from './ton-connect-request.js'
import { connectRequests, type ConnectFacts, type ConnectRequests } from './ton-connect.js'

/** One way to pay: a link for wallet apps, and requests of TON Connect. */
export interface Payable extends ConnectRequests {
  /** Opens a wallet app with the payment, as a link or as a QR code: `ton://transfer/…`. */
  readonly link: string
  /** Links that open one wallet app, by its name, where no app handles `ton://`. */
  readonly links: WalletLinks
  readonly expiresAt?: Date | undefined
  /** Returns the fields for a checkout page. */
  readonly toJSON: () => PayableJson
}

/** The fields of a {@link Payable} for a checkout page. */
export interface PayableJson {
  /** `'TON'`, or the jetton master as `workchain:hash`. */
  asset: string
  /** Base units, in decimal digits. */
  rawAmount: string
  /** Whole coins, in decimal digits; absent when the decimals of a jetton are unknown. */
  amount?: string | undefined
  link: string
  links: WalletLinks
  /** ISO 8601. */
  expiresAt?: string | undefined
  /** The request of TON Connect with structured items. The page adds `validUntil`. */
  tonConnect: UnstampedItems
  /** The time of the server, ISO 8601. */
  serverTime: string
}

/** Facts of a way to pay. */
export interface PayableFacts extends Omit<ConnectFacts, 'expiresAt'> {
  /** Canonical. */
  asset: string
  rawAmount: bigint
  /** Whole coins, in decimal digits. */
  amount: string | undefined
  expiresAt?: Date | undefined
  transfer: TransferRequest
}

/** Creates a way to pay from its facts. */
export function toPayable(facts: PayableFacts): Payable {
  const { asset, rawAmount, amount, expiresAt, transfer, network, clock } = facts
  const { unstamped, ...requests } = connectRequests(facts)
  const link = transferLink(transfer)
  const links = walletLinks(transfer, network)
  return {
    ...requests,
    link,
    links,
    expiresAt,
    toJSON: () => ({
      asset,
      rawAmount: `${rawAmount}`,
      amount,
      link,
      links,
      expiresAt: expiresAt?.toISOString(),
      tonConnect: unstamped(),
      serverTime: new Date(clock.nowMs()).toISOString(),
    }),
  }
}

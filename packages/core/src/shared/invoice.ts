import { canonicalAddress } from './address.js'
import type { Clock } from './clock.js'
import { TonplugError } from './tonplug-error.js'
import { withJson } from './with-json.js'

/** A request for payment. `response.json(invoice)` sends {@link Invoice.toJSON}. */
export interface Invoice {
  /** The order, to be stored before the payer sees the invoice. */
  readonly order: {
    reference: string
    /** Base units. */
    rawAmount: bigint
    /** `'TON'`, or the jetton master as `workchain:hash`. */
    asset: string
    status: 'pending'
    /** The wallet to pay to; absent where the gateway chose it. */
    recipient?: string | undefined
    /** The hash of the body of the payer's message, where that body belongs to this order alone. */
    bodyBase64Hash?: string | undefined
    createdAt: Date
  }
  /** Opens a wallet app with the payment, as a link or as a QR code: `ton://transfer/…`. */
  readonly link: string
  readonly expiresAt?: Date | undefined
  /**
   * Returns the argument of `sendTransaction` of TON Connect (`SendTransactionRequest`), as JSON values.
   * @param sender the wallet that is connected, in any format
   * @throws {AddressError} for an invalid address.
   * @throws {ConfigurationError} when the sender cannot pay this invoice.
   * @throws {InvoiceExpiredError} (`ERR_TONPLUG_INVOICE_EXPIRED`) after `expiresAt`.
   */
  readonly tonConnect: (sender: string) => Promise<{
    /** Unix seconds. */
    validUntil: number
    /** `-239` is mainnet, `-3` is testnet; absent for a gateway at its own `baseUrl`. */
    network?: '-239' | '-3' | undefined
    /** The payer's wallet, a raw address. */
    from: string
    messages: {
      /** A friendly address. */
      address: string
      /** Nanocoins, in decimal digits. */
      amount: string
      /** The body: a bag of cells in base64. */
      payload: string
    }[]
  }>
  /** Returns the fields for a checkout page. */
  readonly toJSON: () => {
    reference: string
    /** `'TON'`, or the jetton master as `workchain:hash`. */
    asset: string
    /** Base units, in decimal digits. */
    rawAmount: string
    /** Whole coins, in decimal digits. */
    amount: string
    recipient?: string | undefined
    link: string
    /** ISO 8601. */
    expiresAt?: string | undefined
  }
}

/** An invoice has expired: its link and its TON Connect request would ask for a late payment. */
class InvoiceExpiredError extends TonplugError<{ reference: string; expiresAt: string }> {
  override readonly name = 'InvoiceExpiredError'
  readonly code = 'ERR_TONPLUG_INVOICE_EXPIRED'

  constructor(facts: { reference: string; expiresAt: Date }) {
    const expiresAt = facts.expiresAt.toISOString()
    super({
      message: `the invoice ${JSON.stringify(facts.reference)} expired at ${expiresAt}; create another one`,
      details: { reference: facts.reference, expiresAt },
    })
  }
}

/** A message for the payer's wallet, in the format of TON Connect. */
export type PayerMessage = Awaited<ReturnType<Invoice['tonConnect']>>['messages'][number]

/** Facts of an invoice. */
interface InvoiceFacts {
  order: Invoice['order']
  /** Whole coins. */
  amount: string
  link: string
  network: 'mainnet' | 'testnet' | undefined
  expiresAt?: Date | undefined
  clock: Clock
  /** Returns the message of a payer. @param sender canonical */
  messageOf: (sender: string) => PayerMessage | Promise<PayerMessage>
}

/** The ids of the networks in TON Connect. */
export const CHAIN_IDS = { mainnet: '-239', testnet: '-3' } as const
/** Time that a payer has to confirm a TON Connect request. */
const CONFIRM_SECONDS = 600

/** Creates an invoice from its facts. */
export function toInvoice(facts: InvoiceFacts): Invoice {
  const { order, amount, link, network, expiresAt, clock, messageOf } = facts
  const { reference, asset, rawAmount, recipient } = order
  return {
    order: withJson(order),
    link,
    expiresAt,
    async tonConnect(sender) {
      const from = canonicalAddress(sender)
      const message = await messageOf(from)
      checkExpiry({ reference, expiresAt }, clock)
      const confirmUntil = secondsOf(clock.nowMs()) + CONFIRM_SECONDS
      const validUntil = Math.min(confirmUntil, secondsOf(expiresAt?.getTime() ?? Infinity))
      return {
        validUntil,
        ...(network && { network: CHAIN_IDS[network] }),
        from,
        messages: [message],
      }
    },
    toJSON: () => ({
      reference,
      asset,
      rawAmount: rawAmount.toString(),
      amount,
      recipient,
      link,
      expiresAt: expiresAt?.toISOString(),
    }),
  }
}

/** @throws {InvoiceExpiredError} when an invoice has expired. A wallet counts whole seconds. */
export function checkExpiry(
  { reference, expiresAt }: { reference: string; expiresAt?: Date | undefined },
  clock: Clock,
): void {
  if (expiresAt !== undefined && secondsOf(expiresAt.getTime()) <= secondsOf(clock.nowMs())) {
    throw new InvoiceExpiredError({ reference, expiresAt })
  }
}

/**
 * Returns a link that opens a wallet app with a transfer. Wallets read a `+` as itself, so a space is `%20`.
 * @param address friendly
 */
export function transferLink(
  address: string,
  parameters: {
    /** Base units. */
    amount: string
    /** The comment. A wallet accepts it or `bin`. */
    text?: string | undefined
    /** The body: a bag of cells in standard base64. */
    bin?: string | undefined
    /** The friendly address of the jetton master. */
    jetton?: string | undefined
    /** Unix seconds. */
    exp?: string | undefined
  },
): string {
  const query = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : `${name}=${encodeURIComponent(value)}`,
  )
  return `ton://transfer/${address}?${query.join('&')}`
}

/** Converts milliseconds to whole seconds. */
export function secondsOf(milliseconds: number): number {
  return Math.floor(milliseconds / 1000)
}

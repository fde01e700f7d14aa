import { ConfigurationError, createInvoice } from '@tonplug/core'
import type { Invoice, InvoiceOptions, InvoiceWithOffers } from '@tonplug/core'
import type { InvoiceRequest, InvoiceWithOffersRequest } from '@tonplug/core/bridge'
import type { V2Client, V3Client } from '@tonplug/core/toncenter'

// The constructors of these classes assign the methods of their interfaces.
/* oxlint-disable typescript/no-unsafe-declaration-merging */

/**
 * The client of API v2 of the default instance, for injection by its class: core's {@link V2Client}, with its methods and
 * errors. Core's functions take it as a client.
 * @example
 * ```ts
 * constructor(private readonly v2: V2Service, private readonly v3: V3Service) {}
 *
 * send(boc: string) {
 *   return sendAndWait({ v2: this.v2, v3: this.v3 }, boc)
 * }
 * ```
 */
export class V2Service {
  constructor(client: V2Client) {
    Object.assign(this, client)
  }
}

/** The methods of {@link V2Service}. */
export interface V2Service extends V2Client {}

/**
 * The client of API v3 of the default instance, for injection by its class: core's {@link V3Client}, with its methods and
 * errors. It shares the transport and the rate limit of `V2Service`.
 * @example
 * ```ts
 * constructor(private readonly v3: V3Service) {}
 * ```
 */
export class V3Service {
  constructor(client: V3Client) {
    Object.assign(this, client)
  }
}

/** The methods of {@link V3Service}. */
export interface V3Service extends V3Client {}

export type InvoiceDefaults = Pick<InvoiceOptions, 'network' | 'v3' | 'clock'> & {
  wallet: string | undefined
}

/**
 * Creates invoices of the default instance, for injection by its class. They are paid to the module's option `wallet`, by
 * default the first of `payments.wallets`, on the module's network, by the clock of `payments`.
 * @example
 * ```ts
 * constructor(private readonly invoices: InvoiceService) {}
 * ```
 */
export class InvoiceService {
  /** @param defaults options of every invoice */
  constructor(private readonly defaults: InvoiceDefaults) {}

  /**
   * Creates an invoice, with the errors of core's `createInvoice`.
   * @throws {ConfigurationError} without a wallet, and for a wallet of another network.
   */
  create(request: InvoiceRequest): Promise<Invoice>
  create(request: InvoiceWithOffersRequest): Promise<InvoiceWithOffers>
  async create(
    request: InvoiceRequest | InvoiceWithOffersRequest,
  ): Promise<Invoice | InvoiceWithOffers> {
    const { wallet, ...defaults } = this.defaults
    // Core reads from the options which kind of invoice it is.
    const options = { ...defaults, ...request, wallet } as InvoiceOptions
    if (wallet !== undefined) return createInvoice(options)
    const problem = 'is missing from the options of TonplugModule; set it, or payments.wallets'
    throw new ConfigurationError({ option: 'wallet', problem })
  }
}

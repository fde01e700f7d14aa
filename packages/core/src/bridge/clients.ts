import { canonicalAddress } from '../shared/address.js'
import { ConfigurationError } from '../shared/configuration-error.js'
import { describeType } from '../shared/describe-type.js'
import type { Invoice } from '../shared/invoice.js'
import type { TransferClient } from '../toncenter/gateway/transfer-client.js'
import type { V2Client } from '../toncenter/v2/client.js'
import type { V3Client } from '../toncenter/v3/client.js'
import { createInvoice } from '../payments/invoices/create-invoice.js'
import type {
  InvoiceOptions,
  InvoiceWithOffersOptions,
} from '../payments/invoices/invoice-options.js'
import type { InvoiceWithOffers } from '../payments/invoices/invoice-with-offers.js'

/** Options of {@link createInvoice}, without `wallet` and `v3`. */
export type InvoiceRequest = WithoutSender<InvoiceOptions>

/** Options of {@link createInvoice} for a price in a currency, without `wallet` and `v3`. */
export type InvoiceWithOffersRequest = WithoutSender<InvoiceWithOffersOptions>

// Distributive, because the options are a union.
export type WithoutSender<Options> = Options extends unknown
  ? Omit<Options, 'wallet' | 'v3'>
  : never

/** The clients of a shop. Reading one that was not passed throws a `ConfigurationError`. */
export interface Clients {
  /** API v2. */
  readonly v2: V2Client
  /** API v3. */
  readonly v3: V3Client
  /** The payment gateway: creates transfers and returns their status. */
  readonly transfers: TransferClient
  /** Creates invoices for `wallet`, with the errors of {@link createInvoice}; those for jettons require `v3`. */
  readonly invoices: {
    create(request: InvoiceRequest): Promise<Invoice>
    create(request: InvoiceWithOffersRequest): Promise<InvoiceWithOffers>
  }
}

/** Options of {@link createClients}. Create the clients of API v2 and v3 with one transport, because the service counts both together. */
export interface ClientsOptions {
  v2?: V2Client | undefined
  v3?: V3Client | undefined
  transfers?: TransferClient | undefined
  /** The wallet that invoices are paid to, in any format. */
  wallet?: string | undefined
}

/** An example of each option. */
const EXAMPLES = {
  v2: 'v2: createV2Client({ transport })',
  v3: 'v3: createV3Client({ transport })',
  transfers: 'transfers: createTransferClient({ apiKey })',
  wallet: "wallet: 'UQ…your wallet'",
}

/**
 * Returns the clients of a shop in one object, as the bridges to web frameworks provide them.
 * @throws {ConfigurationError} for an unknown option, and for an invalid wallet.
 */
export function createClients(options: ClientsOptions): Clients {
  checkNames(options)
  const { wallet, v3 } = options
  const invoices = wallet === undefined ? undefined : invoicesOf(wallet, v3)
  const required = <Name extends keyof ClientsOptions, Value>(
    name: Name,
    value: Value | undefined,
  ): Value => {
    if (value !== undefined) return value
    const problem = `is missing; add it to the clients: { ${EXAMPLES[name]} }`
    throw new ConfigurationError({ option: name, problem })
  }
  return {
    get v2() {
      return required('v2', options.v2)
    },
    get v3() {
      return required('v3', v3)
    },
    get transfers() {
      return required('transfers', options.transfers)
    },
    get invoices() {
      return required('wallet', invoices)
    },
  }
}

function checkNames(options: ClientsOptions): void {
  const names = Object.keys(EXAMPLES)
  if (typeof options !== 'object' || (options as unknown) === null) {
    const problem = `must be an object with ${names.join(', ')}; received ${describeType(options)}`
    throw new ConfigurationError({ option: 'clients', problem })
  }
  const unknown = Object.keys(options).find((name) => !names.includes(name))
  if (unknown === undefined) return
  const problem = `is not an option here; it takes ${names.join(', ')}. Pass options of a client to createV2Client()`
  throw new ConfigurationError({ option: unknown, problem })
}

function invoicesOf(wallet: string, v3: V3Client | undefined): Clients['invoices'] {
  try {
    canonicalAddress(wallet)
  } catch (cause) {
    throw new ConfigurationError({ option: 'wallet', problem: 'must be a TON address', cause })
  }
  const create = async (
    request: InvoiceRequest | InvoiceWithOffersRequest,
  ): Promise<Invoice | InvoiceWithOffers> =>
    // Core reads from the options which kind of invoice it is.
    createInvoice({ ...request, wallet, v3 } as InvoiceOptions)
  return { create: create as Clients['invoices']['create'] }
}

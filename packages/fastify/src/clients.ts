import { canonicalAddress, ConfigurationError, createInvoice } from '@tonplug/core'
import type { Invoice, InvoiceOptions } from '@tonplug/core'
import type { TransferClient, V2Client, V3Client } from '@tonplug/core/toncenter'

/** Options of core's `createInvoice`, without `wallet` and `v3`. */
export type InvoiceRequest = WithoutSender<InvoiceOptions>

// Distributive, because the options are a union.
type WithoutSender<Options> = Options extends unknown ? Omit<Options, 'wallet' | 'v3'> : never

/** Creates invoices for one wallet. */
export interface Invoices {
  /** Creates an invoice, with the errors of core's `createInvoice`. */
  create(request: InvoiceRequest): Promise<Invoice>
}

/** The clients of a shop. Reading one that was not passed throws a `ConfigurationError`. */
export interface TonplugClients {
  /** API v2. */
  readonly v2: V2Client
  /** API v3. */
  readonly v3: V3Client
  /** The payment gateway: creates transfers and returns their status. */
  readonly transfers: TransferClient
  /** Creates invoices for `wallet`; those for jettons require `v3`. */
  readonly invoices: Invoices
}

/** The option `clients`: the clients of a shop. Create those of API v2 and v3 with one transport, because the service counts both together. */
export interface TonplugClientsOptions {
  v2?: V2Client | undefined
  v3?: V3Client | undefined
  transfers?: TransferClient | undefined
  /** The wallet that invoices are paid to, in any format. */
  wallet?: string | undefined
}

const NAMES = ['v2', 'v3', 'transfers', 'wallet']

/**
 * Returns the clients of a shop in one object.
 * @throws {ConfigurationError} for an unknown option, and for an invalid wallet.
 */
export function createClients(options: TonplugClientsOptions): TonplugClients {
  if (typeof options !== 'object' || options === null) {
    const problem = `must be an object with ${NAMES.join(', ')}`
    throw new ConfigurationError({ option: 'clients', problem })
  }
  const unknown = Object.keys(options).find((name) => !NAMES.includes(name))
  if (unknown !== undefined) {
    const problem = `is not an option here; it takes ${NAMES.join(', ')}. Pass options of a client to createV2Client()`
    throw new ConfigurationError({ option: unknown, problem })
  }
  const { v2, v3, transfers, wallet } = options
  const invoices = wallet === undefined ? undefined : invoicesOf(wallet, v3)
  return {
    get v2() {
      return v2 ?? throwMissing('v2', 'v2: createV2Client({ transport })')
    },
    get v3() {
      return v3 ?? throwMissing('v3', 'v3: createV3Client({ transport })')
    },
    get transfers() {
      return transfers ?? throwMissing('transfers', 'transfers: createTransferClient({ apiKey })')
    },
    get invoices() {
      return invoices ?? throwMissing('wallet', "wallet: 'UQ…your wallet'")
    },
  }
}

function invoicesOf(wallet: string, v3: V3Client | undefined): Invoices {
  try {
    canonicalAddress(wallet)
  } catch (cause) {
    throw new ConfigurationError({ option: 'wallet', problem: 'must be a TON address', cause })
  }
  return { create: (request) => createInvoice({ ...request, wallet, v3 }) }
}

function throwMissing(option: keyof TonplugClientsOptions, example: string): never {
  const problem = `is missing; add it to the clients: { ${example} }`
  throw new ConfigurationError({ option, problem })
}

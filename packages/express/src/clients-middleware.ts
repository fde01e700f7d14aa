import type { IncomingMessage } from 'node:http'
import { canonicalAddress, ConfigurationError, createInvoice } from '@tonplug/core'
import type { Invoice, InvoiceOptions } from '@tonplug/core'
import type { TransferClient, V2Client, V3Client } from '@tonplug/core/toncenter'
import { checkCall, checkOptions } from './check.js'

/** Options of core's `createInvoice`, without `wallet` and `v3`. */
export type InvoiceRequest = WithoutSender<InvoiceOptions>

// Distributive, because the options are a union.
type WithoutSender<Options> = Options extends unknown ? Omit<Options, 'wallet' | 'v3'> : never

/** Creates invoices for one wallet. */
export interface Invoices {
  /** Creates an invoice, with the errors of core's `createInvoice`. */
  create(request: InvoiceRequest): Promise<Invoice>
}

/** Clients on a request, set by {@link tonplugClients}. Reading one that was not passed throws a `ConfigurationError`. */
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

/** Options of {@link tonplugClients}. */
export interface TonplugClientsOptions {
  v2?: V2Client | undefined
  v3?: V3Client | undefined
  transfers?: TransferClient | undefined
  /** The wallet that invoices are paid to, in any format. */
  wallet?: string | undefined
}

declare global {
  namespace Express {
    interface Request {
      /** Set by `tonplugClients()`. */
      tonplug: TonplugClients
    }
  }
}

/**
 * Returns a middleware that sets the given clients as `req.tonplug`. Create the clients of API v2 and v3 with one transport,
 * because the service counts both together. Errors of a client are not wrapped: Express 5 passes them to the app's error
 * handler; a route of Express 4 calls `next(error)`.
 * @throws {ConfigurationError} for an unknown option, and for an invalid wallet.
 * @example
 * ```ts
 * import { createTransport, createV2Client, createV3Client } from '@tonplug/core/toncenter'
 * import { tonplugClients } from '@tonplug/express'
 * import express from 'express'
 *
 * const transport = createTransport({ network: 'testnet' })
 * const v2 = createV2Client({ transport })
 * const v3 = createV3Client({ transport })
 *
 * const app = express()
 * app.use(tonplugClients({ v2, v3 }))
 * app.get('/balance/:address', async (req, res) => {
 *   const balance = await req.tonplug.v2.getAddressBalance({ address: req.params.address })
 *   res.json({ balance: balance.toString() })
 * })
 * ```
 */
export function tonplugClients(
  options: TonplugClientsOptions,
): (
  request: IncomingMessage & { tonplug?: TonplugClients },
  response: unknown,
  next: (error?: unknown) => void,
) => void {
  checkCall('tonplugClients', options, 'app.use(tonplugClients({ v2, v3 }))')
  const hint = 'it takes v2, v3, transfers, wallet. Pass options of a client to createV2Client()'
  checkOptions('tonplugClients', options, { names: ['v2', 'v3', 'transfers', 'wallet'], hint })
  const { v2, v3, transfers, wallet } = options
  const invoices = wallet === undefined ? undefined : invoicesOf(wallet, v3)
  const tonplug: TonplugClients = {
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
  return (request, _response, next) => {
    request.tonplug = tonplug
    next()
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
  const problem = `is missing; pass it to tonplugClients({ ${example} })`
  throw new ConfigurationError({ option, problem })
}

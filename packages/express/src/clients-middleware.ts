import type { IncomingMessage } from 'node:http'
import { createTransport, createV2Client } from '@tonplug/core'
import type { Transport, TransportOptions, V2Client } from '@tonplug/core'

/** What {@link tonplugClients} puts on a request. */
export interface TonplugClients {
  /** API v2. */
  readonly v2: V2Client
}

/** Clients that the app has made itself, to use them elsewhere too, or with options of their own. */
export type GivenClients = TonplugClients & { readonly [Name in keyof TransportOptions]?: never }

/** Options of a transport, or clients. */
export type TonplugClientsOptions = (TransportOptions & { readonly v2?: never }) | GivenClients

declare global {
  namespace Express {
    interface Request {
      /** There behind `tonplugClients()`. */
      tonplug: TonplugClients
    }
  }
}

/**
 * Puts clients of the data APIs on `req.tonplug`. All requests share them, and with them one transport: the rate
 * limit counts over all of them, and identical reads in flight become one. A client is made when it is first used.
 * What a client throws is left as it is: Express 5 hands it to the app's error handler by itself, a route of Express 4
 * with `next(error)`.
 * @throws {ConfigurationError} at once, when an option cannot work.
 * @example
 * ```ts
 * import { tonplugClients } from '@tonplug/express'
 * import express from 'express'
 *
 * const app = express()
 * app.use(tonplugClients({ network: 'testnet' }))
 * app.get('/balance/:address', async (req, res) => {
 *   const balance = await req.tonplug.v2.getAddressBalance({ address: req.params.address })
 *   res.json({ balance: balance.toString() })
 * })
 * ```
 */
export function tonplugClients(
  options: TonplugClientsOptions = {},
): (
  request: IncomingMessage & { tonplug?: TonplugClients },
  response: unknown,
  next: (error?: unknown) => void,
) => void {
  const clients = isGiven(options) ? { v2: options.v2 } : lazyClients(createTransport(options))
  return (request, _response, next) => {
    request.tonplug = clients
    next()
  }
}

function isGiven(options: TonplugClientsOptions): options is GivenClients {
  return options.v2 !== undefined
}

function lazyClients(transport: Transport): TonplugClients {
  let v2: V2Client | undefined
  return {
    get v2() {
      return (v2 ??= createV2Client({ transport }))
    },
  }
}

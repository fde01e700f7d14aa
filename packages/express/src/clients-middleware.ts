import type { IncomingMessage } from 'node:http'
import { createClients, type Clients, type ClientsOptions } from '@tonplug/core/bridge'
import { checkCall } from './check.js'

declare global {
  namespace Express {
    interface Request {
      /** Set by `tonplugClients()`. */
      tonplug: Clients
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
  options: ClientsOptions,
): (
  request: IncomingMessage & { tonplug?: Clients },
  response: unknown,
  next: (error?: unknown) => void,
) => void {
  checkCall('tonplugClients', options, 'app.use(tonplugClients({ v2, v3 }))')
  const tonplug = createClients(options)
  return (request, _response, next) => {
    request.tonplug = tonplug
    next()
  }
}

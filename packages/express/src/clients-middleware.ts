import type { IncomingMessage } from 'node:http'
import { ConfigurationError, parseOptions } from '@tonplug/core'
import {
  createTransferClient,
  createTransport,
  createV2Client,
  createV3Client,
  sendAndWait,
} from '@tonplug/core/toncenter'
import type {
  BocLike,
  ConfirmedMessage,
  SendCheckpoint,
  SendOptions,
  TransferClient,
  TransferClientOptions,
  TransportOptions,
  V2Client,
  V3Client,
} from '@tonplug/core/toncenter'
import { z } from 'zod'
import { checkCall } from './check-call.js'
import { contractMethods } from './contract-methods.js'

/**
 * Clients on a request, set by {@link tonplugClients}. `import '@tonplug/express/contract'` adds `open` and `provider` for
 * contracts of `@ton/core`.
 */
export interface TonplugClients {
  /** API v2. */
  readonly v2: V2Client
  /** API v3. */
  readonly v3: V3Client
  /** The payment gateway: creates transfers and returns their status. */
  readonly transfers: TransferClient
  /**
   * `sendAndWait` of `@tonplug/core` over both clients: sends a message, resends it while it is not found, and waits until
   * it was processed.
   * @throws the errors of `sendAndWait`: after a `ConfirmationTimeoutError` continue with its `checkpoint`.
   */
  sendAndWait(message: BocLike | SendCheckpoint, options?: SendOptions): Promise<ConfirmedMessage>
}

type Clients = Pick<TonplugClients, 'v2' | 'v3' | 'transfers'>

/**
 * Clients that the app created itself. Pass every client that routes use: a missing one throws when a route reads it.
 */
export type GivenClients = (
  | { readonly v2: V2Client; readonly v3?: V3Client | undefined }
  | { readonly v2?: V2Client | undefined; readonly v3: V3Client }
) & { readonly transfers?: TransferClient | undefined } & {
  readonly [Name in keyof ClientOptions]?: never
}

/** Options of the transport that both clients of the data APIs share, and of the gateway client. */
export interface ClientOptions extends TransportOptions {
  /**
   * Options of the payment gateway client, which has its own API key and rate limit. With `baseUrl`, set the gateway's
   * `network` or `baseUrl` here. @default the gateway of `network`, without a key
   */
  gateway?: TransferClientOptions | undefined
}

const CLIENT = z
  .custom<object>((value) => typeof value === 'object' && value !== null, 'must be a client')
  .optional()

/** Validated by `createTransport` and `createTransferClient`. */
const PASSED_ON = z.unknown().optional()

const OPTIONS = z.strictObject({
  v2: CLIENT,
  v3: CLIENT,
  transfers: CLIENT,
  network: PASSED_ON,
  baseUrl: PASSED_ON,
  apiKey: PASSED_ON,
  rps: PASSED_ON,
  limiter: PASSED_ON,
  retry: PASSED_ON,
  timeoutMs: PASSED_ON,
  deadlineMs: PASSED_ON,
  maxBodyBytes: PASSED_ON,
  fetch: PASSED_ON,
  clock: PASSED_ON,
  random: PASSED_ON,
  hooks: PASSED_ON,
  instrumentation: PASSED_ON,
  gateway: PASSED_ON,
} satisfies Record<keyof (ClientOptions & Clients), z.ZodType>)

/** Options, or clients. */
export type TonplugClientsOptions =
  | (ClientOptions & { readonly v2?: never; readonly v3?: never; readonly transfers?: never })
  | GivenClients

declare global {
  namespace Express {
    interface Request {
      /** Set by `tonplugClients()`. */
      tonplug: TonplugClients
    }
  }
}

/**
 * Returns a middleware that sets clients of the data APIs as `req.tonplug`. All requests share the clients and one transport:
 * one rate limit applies to all, and identical concurrent reads are sent once. A client is created on first use.
 * Errors of a client are not wrapped: Express 5 passes them to the app's error handler; a route of Express 4 calls
 * `next(error)`.
 * @throws {ConfigurationError} when an option is invalid.
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
  checkCall('tonplugClients', options, 'app.use(tonplugClients())')
  parseOptions(OPTIONS, options)
  const clients = hasClients(options) ? appClients(options) : lazyClients(options)
  const tonplug = withMethods(clients)
  return (request, _response, next) => {
    request.tonplug = tonplug
    next()
  }
}

function hasClients(options: TonplugClientsOptions): options is GivenClients {
  return options.v2 !== undefined || options.v3 !== undefined
}

/** @throws {ConfigurationError} for a transport option next to the clients, which would have no effect. */
function appClients({ v2, v3, transfers, ...others }: GivenClients): Clients {
  const [option] = Object.entries(others).find(([, value]) => value !== undefined) ?? []
  if (option !== undefined) {
    const problem =
      'has no effect together with v2 or v3; pass it to createV2Client or createV3Client'
    throw new ConfigurationError({ option, problem })
  }
  return {
    get v2() {
      return v2 ?? throwMissing('v2', 'createV2Client({ transport })')
    },
    get v3() {
      return v3 ?? throwMissing('v3', 'createV3Client({ transport })')
    },
    get transfers() {
      return transfers ?? throwMissing('transfers', 'createTransferClient({ network, apiKey })')
    },
  }
}

function throwMissing(option: keyof TonplugClients, example: string): never {
  const problem = `is missing; pass it to tonplugClients together with the other client: ${option}: ${example}`
  throw new ConfigurationError({ option, problem })
}

function lazyClients({ gateway, ...options }: ClientOptions): Clients {
  const transport = createTransport(options)
  const gatewayOptions = gatewayOptionsOf(gateway, options)
  // Created immediately, so that an invalid option throws at start. It sends no requests on its own.
  const transfers = gatewayOptions && createTransferClient(gatewayOptions)
  let v2: V2Client | undefined
  let v3: V3Client | undefined
  return {
    get v2() {
      return (v2 ??= createV2Client({ transport }))
    },
    get v3() {
      return (v3 ??= createV3Client({ transport }))
    },
    get transfers() {
      return transfers ?? throwMissingGateway()
    },
  }
}

/** Adds the methods that use the clients. A client is still created on first use. */
function withMethods(clients: Clients): TonplugClients {
  const tonplug = {
    get v2() {
      return clients.v2
    },
    get v3() {
      return clients.v3
    },
    get transfers() {
      return clients.transfers
    },
    sendAndWait: async (message: BocLike | SendCheckpoint, options?: SendOptions) =>
      sendAndWait(clients, message, options),
    ...contractMethods(() => clients.v2),
  }
  // The subpath for contracts declares their types.
  return tonplug as TonplugClients
}

/** Returns the gateway of the network unless its own options set another one. */
function gatewayOptionsOf(
  gateway: TransferClientOptions | undefined,
  { network, baseUrl }: TransportOptions,
): TransferClientOptions | undefined {
  if (gateway?.network !== undefined || gateway?.baseUrl !== undefined) return gateway
  return baseUrl === undefined ? { ...gateway, network } : undefined
}

/** With a `baseUrl` of the data APIs the gateway's network is unknown. */
function throwMissingGateway(): never {
  const problem =
    "is missing; with baseUrl set gateway: { network: 'testnet', apiKey } or gateway: { baseUrl }"
  throw new ConfigurationError({ option: 'gateway', problem })
}

import type { IncomingMessage } from 'node:http'
import {
  checkOptionNames,
  ConfigurationError,
  createTransferClient,
  createTransport,
  createV2Client,
  createV3Client,
  sendAndWait,
} from '@tonplug/core'
import type {
  BocLike,
  ConfirmedMessage,
  ResumePoint,
  SendOptions,
  TransferClient,
  TransferClientOptions,
  TransportOptions,
  V2Client,
  V3Client,
} from '@tonplug/core'
import { checkCall } from './check-call.js'
import { contractMethods } from './contract-methods.js'

/**
 * What {@link tonplugClients} puts on a request. With `import '@tonplug/express/contract'` also `open` and `provider`, for
 * contracts of `@ton/core`.
 */
export interface TonplugClients {
  /** API v2. */
  readonly v2: V2Client
  /** API v3. */
  readonly v3: V3Client
  /** The payment gateway: creates transfers, and tells how they stand. */
  readonly transfers: TransferClient
  /**
   * Core's `sendAndWait` over both clients: sends a message, again while nobody has seen it, and waits until it has landed.
   * @throws what core's function throws: after a `ConfirmationTimeoutError` go on with its `resume`.
   */
  sendAndWait(message: BocLike | ResumePoint, options?: SendOptions): Promise<ConfirmedMessage>
}

type Clients = Pick<TonplugClients, 'v2' | 'v3' | 'transfers'>

/**
 * Clients that the app has made itself, to use them elsewhere too, or with options of their own. Give all that
 * routes use: one left out is an error where it is used.
 */
export type GivenClients = (
  | { readonly v2: V2Client; readonly v3?: V3Client | undefined }
  | { readonly v2?: V2Client | undefined; readonly v3: V3Client }
) & { readonly transfers?: TransferClient | undefined } & {
  readonly [Name in keyof ClientOptions]?: never
}

/** Options of the transport that the clients of the data APIs share, and of the gateway's client. */
export interface ClientOptions extends TransportOptions {
  /**
   * Of the client of the payment gateway, which has an API key and a rate limit of its own. Beside `baseUrl` it names
   * the network or the address of the gateway. @default that of `network`, without a key
   */
  gateway?: TransferClientOptions | undefined
}

const OF_CLIENTS: Record<keyof ClientOptions, true> = {
  network: true,
  baseUrl: true,
  apiKey: true,
  rps: true,
  limiter: true,
  retry: true,
  timeoutMs: true,
  deadlineMs: true,
  maxBodyBytes: true,
  fetch: true,
  clock: true,
  random: true,
  hooks: true,
  instrumentation: true,
  gateway: true,
}
const CLIENTS: Record<keyof Clients, true> = { v2: true, v3: true, transfers: true }
const NAMES = Object.keys({ ...CLIENTS, ...OF_CLIENTS })

/** Options, or clients. */
export type TonplugClientsOptions =
  | (ClientOptions & { readonly v2?: never; readonly v3?: never; readonly transfers?: never })
  | GivenClients

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
  checkCall('tonplugClients', options, 'app.use(tonplugClients())')
  checkOptionNames(options, NAMES)
  const clients = isGiven(options) ? onlyClients(options) : lazyClients(options)
  const tonplug = withMethods(clients)
  return (request, _response, next) => {
    request.tonplug = tonplug
    next()
  }
}

function isGiven(options: TonplugClientsOptions): options is GivenClients {
  return options.v2 !== undefined || options.v3 !== undefined
}

/** @throws {ConfigurationError} when an option of a transport stands beside the clients: it would do nothing. */
function onlyClients({ v2, v3, transfers, ...beside }: GivenClients): Clients {
  const [option] = Object.entries(beside).find(([, value]) => value !== undefined) ?? []
  if (option !== undefined) {
    const problem = 'has no effect beside v2 or v3; pass it to createV2Client or createV3Client'
    throw new ConfigurationError({ option, problem })
  }
  return {
    get v2() {
      return v2 ?? leftOut('v2', 'createV2Client({ transport })')
    },
    get v3() {
      return v3 ?? leftOut('v3', 'createV3Client({ transport })')
    },
    get transfers() {
      return transfers ?? leftOut('transfers', 'createTransferClient({ network, apiKey })')
    },
  }
}

function leftOut(option: keyof TonplugClients, made: string): never {
  const problem = `was not given to tonplugClients beside the other client; add ${option}: ${made}`
  throw new ConfigurationError({ option, problem })
}

function lazyClients({ gateway, ...options }: ClientOptions): Clients {
  const transport = createTransport(options)
  const gatewayOptions = gatewayOptionsOf(gateway, options)
  // At once, so that a wrong option is an error at start. It sends nothing by itself.
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
      return transfers ?? refuseGateway()
    },
  }
}

/** The clients with what works over them. A client is still not made before it is used. */
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
    sendAndWait: async (message: BocLike | ResumePoint, options?: SendOptions) =>
      sendAndWait(clients, message, options),
    ...contractMethods(() => clients.v2),
  }
  // The subpath for contracts has their types.
  return tonplug as TonplugClients
}

/** The gateway is that of the network, unless its own options name another one. */
function gatewayOptionsOf(
  gateway: TransferClientOptions | undefined,
  { network, baseUrl }: TransportOptions,
): TransferClientOptions | undefined {
  if (gateway?.network !== undefined || gateway?.baseUrl !== undefined) return gateway
  return baseUrl === undefined ? { ...gateway, network } : undefined
}

/** Own servers of the data APIs do not tell which network's gateway is meant. */
function refuseGateway(): never {
  const problem =
    "is missing; beside baseUrl give { gateway: { network: 'testnet', apiKey } }, or a baseUrl of its own"
  throw new ConfigurationError({ option: 'gateway', problem })
}

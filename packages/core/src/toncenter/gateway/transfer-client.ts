import { systemClock } from '../../shared/clock.js'
import { ConfigurationError } from '../../shared/configuration-error.js'
import { describeSettingMistake } from '../../shared/setting-mistake.js'
import { InvalidParamsError } from '../errors/api.js'
import { OutcomeUnknownError, RequestTimeoutError } from '../errors/http.js'
import { refuse } from '../schema/mismatch.js'
import { toBase64Hash, type HashLike } from '../schema/params.js'
import { checkOptions } from '../schema/options.js'
import { readCallOptions, type RequestOptions } from '../transport/call-options.js'
import { transportOptions, type TransportOptions } from '../transport/options.js'
import { readApiKey } from '../transport/redact.js'
import type { HttpResponse, ResponseMeta, TransportRequest } from '../transport/request.js'
import type { Network } from '../transport/servers.js'
import { openTransport, type Transport } from '../transport/transport.js'
import { classifyGatewayResponse } from './classify-response.js'
import { readCreated, toCreatedTransfer, type CreatedTransfer } from './created-transfer.js'
import { writeNewTransfer, type NewTransfer } from './new-transfer.js'
import { readStatus, type TransferStatus } from './transfer-status.js'

/** Options of one call of the gateway. */
export interface TransferRequestOptions extends RequestOptions {
  /** Called with facts about the response, before the call resolves. */
  onResponse?: ((meta: ResponseMeta) => void) | undefined
}

/** A client of the payment gateway's API. Shops with another gateway implement it themselves. */
export interface TransferClient {
  /**
   * Creates a transfer for a payer to sign. Store its `order` before you show it. The request is retried only if the gateway
   * has certainly not processed it.
   * @throws {OutcomeUnknownError} without a response: the transfer may exist. Create another one; a transfer that no payer
   *   was shown is never paid.
   * @throws {InvalidParamsError} for invalid parameters, and for amounts that the gateway would round.
   * @example
   * const { order, link, tonConnect } = await transfers.create({
   *   rawAmount: 10_500_000_000n,
   *   asset: 'TON',
   *   senderAddr,
   *   recipientAddr,
   * })
   */
  create(transfer: NewTransfer, options?: TransferRequestOptions): Promise<CreatedTransfer>
  /** Returns the status of a transfer; `null` when the gateway has no transfer with this reference. */
  byReference(reference: string, options?: TransferRequestOptions): Promise<TransferStatus | null>
  /** Returns the status by the hash of the message body, in hex, base64, base64url or bytes. */
  byBodyHash(bodyHash: HashLike, options?: TransferRequestOptions): Promise<TransferStatus | null>
}

/** Options of {@link createTransferClient}. Its transport is its own, as are the gateway's key and rate limit. */
export interface TransferClientOptions extends TransportOptions {
  /** @default 'mainnet' */
  network?: Network | undefined
  /** The address of another gateway; its path is kept. */
  baseUrl?: string | undefined
  /** The key of the merchant dashboard. Without it, a transfer needs `recipientAddr` and has no webhook. */
  apiKey?: string | undefined
  /** Requests per second. The gateway's own limit is not documented. @default 10 */
  rps?: number | undefined
}

const GATEWAYS: Readonly<Record<Network, string>> = {
  mainnet: 'https://pay.ton.org',
  testnet: 'https://testnet.pay.ton.org',
}
const DEFAULT_RPS = 10
const STATUS_PATH = '/transfer'
const ADVICE = 'it was not sent again; do not show it to the payer, and create another transfer'

/**
 * Creates a client of the payment gateway's API. Source: API facts, part 4.1.
 * @throws {ConfigurationError} for an unknown or invalid option.
 * @example
 * ```ts
 * import { createTransferClient } from '@tonplug/core/toncenter'
 *
 * const transfers = createTransferClient({ network: 'testnet', apiKey: 'key of the dashboard' })
 * const status = await transfers.byReference('…')
 * console.log(status?.state, status?.rawAmount)
 * ```
 */
export function createTransferClient(options: TransferClientOptions = {}): TransferClient {
  const transport = openTransport(gatewayOptions(options))
  const { baseUrl, network = baseUrl === undefined ? 'mainnet' : undefined } = options
  const { clock = systemClock } = options
  return {
    async create(transfer, callOptions) {
      const created = await createTransfer(transport, transfer, callOptions)
      return toCreatedTransfer(created, transfer, { network, clock })
    },
    async byReference(reference, callOptions) {
      const endpoint = 'transferByReference'
      if (typeof reference !== 'string' || reference === '') {
        throw invalidParam(endpoint, 'reference', 'must be a string that is not empty')
      }
      return readTransfer(transport, endpoint, ['reference', reference], callOptions)
    },
    async byBodyHash(bodyHash, callOptions) {
      const endpoint = 'transferByBodyHash'
      const hash = toBase64Hash(bodyHash)
      if (hash === undefined) {
        throw invalidParam(endpoint, 'bodyHash', 'must be a 256-bit hash in hex, base64 or bytes')
      }
      return readTransfer(transport, endpoint, ['bodyHash', hash], callOptions)
    },
  }
}

/** @throws {ConfigurationError} for an unknown or invalid option. */
function gatewayOptions(options: TransferClientOptions): TransportOptions {
  checkOptions(transportOptions, options)
  const { network, baseUrl, ...rest } = options
  const { apiKey } = rest
  const mistake = typeof apiKey === 'string' ? describeSettingMistake(apiKey.trim()) : undefined
  if (mistake !== undefined) throw new ConfigurationError({ option: 'apiKey', problem: mistake })
  if (apiKey !== undefined && readApiKey(apiKey) === undefined) {
    const problem =
      'must not be blank: a transfer that is created without the key of your dashboard has no webhook. Set its environment variable, or omit the option'
    throw new ConfigurationError({ option: 'apiKey', problem })
  }
  if (baseUrl !== undefined && network !== undefined) {
    throw new ConfigurationError({ option: 'baseUrl', problem: 'cannot be combined with network' })
  }
  return {
    ...rest,
    baseUrl: baseUrl ?? GATEWAYS[network ?? 'mainnet'],
    ...(rest.limiter === undefined && { rps: rest.rps ?? DEFAULT_RPS }),
  }
}

async function send(
  transport: Transport,
  request: Omit<TransportRequest, 'api'>,
  options: TransferRequestOptions = {},
): Promise<unknown> {
  const { requestOptions, notifyCaller } = readCallOptions<ResponseMeta>(options)
  const { value, meta } = await transport.request(
    { api: 'merchant/v1', ...request },
    requestOptions,
  )
  notifyCaller(meta)
  return value
}

async function createTransfer(
  transport: Transport,
  transfer: NewTransfer,
  options: TransferRequestOptions | undefined,
): Promise<ReturnType<typeof readCreated>> {
  const endpoint = 'createTransfer'
  const request = {
    endpoint,
    method: 'POST',
    path: '/create-transfer',
    body: writeNewTransfer(endpoint, transfer),
    isRead: false,
    adviceWhenLost: ADVICE,
    classify: (response: HttpResponse) => classifyGatewayResponse(response, readCreated),
  } as const
  try {
    // `classify` returns the type.
    return (await send(transport, request, options)) as ReturnType<typeof readCreated>
  } catch (error) {
    throw lostAtDeadline(error) ?? error
  }
}

type Query = readonly [name: 'reference' | 'bodyHash', value: string]

async function readTransfer(
  transport: Transport,
  endpoint: string,
  query: Query,
  options: TransferRequestOptions | undefined,
): Promise<TransferStatus | null> {
  const classify: TransportRequest['classify'] = (response) =>
    isUnknownTransfer(response)
      ? { kind: 'ok', value: null }
      : classifyGatewayResponse(response, (body) => checkIdentity(readStatus(body), query))
  const value = await send(
    transport,
    { endpoint, method: 'GET', path: STATUS_PATH, query: [query], isRead: true, classify },
    options,
  )
  // `classify` returns the type.
  return value as TransferStatus | null
}

/** A page that is not JSON comes from another server, and states nothing about a transfer. */
function isUnknownTransfer({ status, json }: HttpResponse): boolean {
  return status === 404 && json !== undefined
}

/** A response about another transfer than the requested one would pay the wrong order. */
function checkIdentity(status: TransferStatus, [name, value]: Query): TransferStatus {
  if (name === 'reference' && status.reference !== value) {
    refuse(`the requested one, ${JSON.stringify(value)}`, status.reference, ['reference'])
  }
  const { bodyBase64Hash: hash } = status
  if (name === 'bodyHash' && hash !== undefined && (toBase64Hash(hash) ?? hash) !== value) {
    refuse(`the requested one, ${value}`, hash, ['bodyBase64Hash'])
  }
  return status
}

/** A deadline that passes during a request hides whether the transfer was created. */
function lostAtDeadline(error: unknown): OutcomeUnknownError | undefined {
  if (!(error instanceof RequestTimeoutError)) return undefined
  const { endpoint, attempts, phase } = error.details
  if (phase !== 'headers' && phase !== 'body') return undefined
  const facts = { endpoint, attempts, lostCode: error.code, advice: ADVICE, cause: error }
  return new OutcomeUnknownError(facts)
}

function invalidParam(endpoint: string, path: string, problem: string): InvalidParamsError {
  return new InvalidParamsError({ endpoint, issues: [{ path, problem }] })
}

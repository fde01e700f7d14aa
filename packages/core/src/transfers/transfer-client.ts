import { ConfigurationError } from '../errors/configuration.js'
import { OutcomeUnknownError, TimeoutError } from '../errors/http.js'
import { InvalidParamsError } from '../errors/params.js'
import { toBase64Hash, type HashLike } from '../schema/hash.js'
import type { Network } from '../transport/base-url.js'
import { readCallOptions } from '../transport/call-options.js'
import { checkOptionNames, TRANSPORT_OPTIONS } from '../transport/option-names.js'
import type { RequestOptions, TransportOptions } from '../transport/options.js'
import {
  createTransport,
  type HttpAnswer,
  type ResponseMeta,
  type TransportRequest,
} from '../transport/transport.js'
import { classifyAnswer, WrongField } from './answer.js'
import { readCreated, type CreatedTransfer } from './created-transfer.js'
import { writeNewTransfer, type NewTransfer } from './new-transfer.js'
import { readStatus, type TransferStatus } from './transfer-status.js'

/** Options of one call of the gateway. */
export interface TransferRequestOptions extends RequestOptions {
  /** Called with how the answer came about, before the call resolves. */
  onResponse?: ((meta: ResponseMeta) => void) | undefined
}

/** The payment gateway's own API. Shops with another gateway, or a stand-in, implement it themselves. */
export interface TransferClient {
  /**
   * Creates a transfer for a payer to sign. Store its reference and body hash with the order before you show it. It is
   * sent once: tried again only where the gateway has certainly not taken it.
   * @throws {OutcomeUnknownError} when no answer came: the transfer may exist. Nobody can pay what nobody was shown, so
   *   create another one and forget this.
   * @throws {InvalidParamsError} for parameters that cannot be right, and amounts that the gateway could not read.
   * @example
   * const { reference, bodyBase64Hash, message } = await transfers.create({
   *   rawAmount: 10_500_000_000n,
   *   asset: 'TON',
   *   senderAddr,
   *   recipientAddr,
   * })
   */
  create(transfer: NewTransfer, options?: TransferRequestOptions): Promise<CreatedTransfer>
  /** How a transfer stands; `null` when the gateway knows none with this reference. */
  byReference(reference: string, options?: TransferRequestOptions): Promise<TransferStatus | null>
  /** The same by the hash of its message's body, in hex, base64, base64url or bytes. */
  byBodyHash(bodyHash: HashLike, options?: TransferRequestOptions): Promise<TransferStatus | null>
}

/** Options of the transport that the client makes for itself: the gateway has a key and a limit of its own. */
export interface TransferClientOptions extends TransportOptions {
  /** The gateway's. @default 'mainnet' */
  network?: Network | undefined
  /** The address of another gateway, its path kept. */
  baseUrl?: string | undefined
  /**
   * Of the merchant dashboard. Without it a transfer needs `recipientAddr`, and no webhook comes for it.
   */
  apiKey?: string | undefined
  /** Requests in any one second. The gateway's own limit is not known. @default 10 */
  rps?: number | undefined
}

const GATEWAYS: Record<Network, string> = {
  mainnet: 'https://pay.ton.org',
  testnet: 'https://testnet.pay.ton.org',
}
const DEFAULT_RPS = 10
const STATUS_PATH = '/transfer'
const ADVICE = 'it was not sent again; show the payer nothing of it, and create another transfer'

/**
 * A client of the payment gateway's API. Source: API facts, part 4.1.
 * @throws {ConfigurationError} when an option cannot work.
 * @example
 * ```ts
 * import { createTransferClient } from '@tonplug/core'
 *
 * const transfers = createTransferClient({ network: 'testnet', apiKey: 'key of the dashboard' })
 * const status = await transfers.byReference('…')
 * console.log(status?.state, status?.rawAmount)
 * ```
 */
export function createTransferClient(options: TransferClientOptions = {}): TransferClient {
  checkOptionNames(options, TRANSPORT_OPTIONS)
  if (options.apiKey?.trim() === '') {
    const problem =
      'is blank, and a transfer that is created without the key of your dashboard has no webhook; is its variable set? Leave it out where that is meant'
    throw new ConfigurationError({ option: 'apiKey', problem })
  }
  const { network, baseUrl, ...rest } = options
  const hasLimiter = rest.limiter !== undefined
  const transport = createTransport({
    ...rest,
    baseUrl: baseUrlOf(network, baseUrl),
    ...(!hasLimiter && { rps: rest.rps ?? DEFAULT_RPS }),
  })

  const ask = async (
    request: Omit<TransportRequest, 'api'>,
    options: TransferRequestOptions = {},
  ): Promise<unknown> => {
    const { requestOptions, tellCaller } = readCallOptions<ResponseMeta>(options)
    const { value, meta } = await transport.request(
      { api: 'merchant/v1', ...request },
      requestOptions,
    )
    tellCaller(meta)
    return value
  }
  const readOne = async (
    endpoint: string,
    query: readonly [name: 'reference' | 'bodyHash', value: string],
    options?: TransferRequestOptions,
  ): Promise<TransferStatus | null> => {
    const classify = (answer: HttpAnswer) =>
      isUnknownTransfer(answer)
        ? ({ kind: 'ok', value: null } as const)
        : classifyAnswer(answer, (body) => checkAsked(readStatus(body), query))
    const value = await ask(
      { endpoint, method: 'GET', path: STATUS_PATH, query: [query], isRead: true, classify },
      options,
    )
    // `classify` made it.
    return value as TransferStatus | null
  }

  return {
    async create(transfer, options) {
      const endpoint = 'createTransfer'
      const value = await ask(
        {
          endpoint,
          method: 'POST',
          path: '/create-transfer',
          body: writeNewTransfer(endpoint, transfer),
          isRead: false,
          adviceWhenLost: ADVICE,
          classify: (answer) => classifyAnswer(answer, readCreated),
        },
        options,
      ).catch((error: unknown) => {
        throw lostAtDeadline(error) ?? error
      })
      // `classify` made it.
      return value as CreatedTransfer
    },
    async byReference(reference, options) {
      const endpoint = 'transferByReference'
      if (typeof reference !== 'string' || reference === '') {
        throw wrongParam(endpoint, 'reference', 'must be a text that is not empty')
      }
      return readOne(endpoint, ['reference', reference], options)
    },
    async byBodyHash(bodyHash, options) {
      const endpoint = 'transferByBodyHash'
      const hash = toBase64Hash(bodyHash)
      if (hash === undefined) {
        throw wrongParam(endpoint, 'bodyHash', 'must be a 256-bit hash in hex, base64 or bytes')
      }
      return readOne(endpoint, ['bodyHash', hash], options)
    },
  }
}

/** @throws {ConfigurationError} when both are given, or the network is none. */
function baseUrlOf(network: Network | undefined, baseUrl: string | undefined): string {
  if (baseUrl !== undefined) {
    if (network === undefined) return baseUrl
    const problem = `is given beside the network ${JSON.stringify(network)}; give one of the two`
    throw new ConfigurationError({ option: 'baseUrl', problem })
  }
  const name = network ?? 'mainnet'
  // A caller without types may give any text.
  if (Object.hasOwn(GATEWAYS, name)) return GATEWAYS[name]
  const problem = `is ${JSON.stringify(name)}; give 'mainnet' or 'testnet'`
  throw new ConfigurationError({ option: 'network', problem })
}

/** A page that is no JSON comes from something else at that address, and says nothing about a transfer. */
function isUnknownTransfer({ status, json }: HttpAnswer): boolean {
  return status === 404 && json !== undefined
}

/** An answer about another transfer than the one that was asked for would pay the wrong order. */
function checkAsked(
  status: TransferStatus,
  [name, value]: readonly [name: 'reference' | 'bodyHash', value: string],
): TransferStatus {
  if (name === 'reference' && status.reference !== value) {
    throw new WrongField('reference', `the one that was asked for, ${JSON.stringify(value)}`)
  }
  const { bodyBase64Hash: told } = status
  if (name === 'bodyHash' && told !== undefined && (toBase64Hash(told) ?? told) !== value) {
    throw new WrongField('bodyBase64Hash', `the one that was asked for, ${value}`)
  }
  return status
}

/** A deadline that passes while an answer is awaited hides what became of the transfer. */
function lostAtDeadline(error: unknown): OutcomeUnknownError | undefined {
  if (!(error instanceof TimeoutError)) return undefined
  const { endpoint, attempts, phase } = error.details
  if (phase !== 'headers' && phase !== 'body') return undefined
  const facts = { endpoint, attempts, lostCode: error.code, advice: ADVICE, cause: error }
  return new OutcomeUnknownError(facts)
}

function wrongParam(endpoint: string, path: string, problem: string): InvalidParamsError {
  return new InvalidParamsError({ endpoint, issues: [{ path, problem }] })
}

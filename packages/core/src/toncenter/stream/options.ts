import type { Clock } from '../../shared/clock.js'
import { ConfigurationError } from '../../shared/configuration-error.js'
import { consoleLogger, guardLogger, type Logger } from '../../shared/logger.js'
import {
  anyOption,
  checkOptions,
  functionParam,
  objectParam,
  oneOfParam,
  type OptionShape,
} from '../schema/options.js'
import { optionalParam } from '../schema/param.js'
import { resolveOptions, type Fetch } from '../transport/options.js'
import { createRedact, readApiKey } from '../transport/redact.js'
import { NETWORKS, type Network } from '../transport/servers.js'

/** The part of a `WebSocket` that is used; that of the platform and that of the package `ws` fit. */
export interface WebSocketLike {
  addEventListener(
    type: 'open' | 'message' | 'error' | 'close',
    listener: (event: { type: string; data?: unknown; error?: unknown }) => void,
  ): void
  send(text: string): void
  close(): void
}

/** `maxPayload` is an option of the package `ws`; other implementations ignore it. */
export type WebSocketConstructor = new (
  url: string,
  protocols: string[],
  options: { maxPayload: number },
) => WebSocketLike

/** Options of {@link createStream}. */
export interface StreamOptions {
  /** @default 'mainnet' */
  network?: Network | undefined
  /** An own server instead of a network. The stream is at `/api/streaming/v2` below the address. */
  baseUrl?: string | undefined
  /**
   * The address of another server of the protocol, instead of `network` and `baseUrl`, for example
   * `https://tonapi.io/streaming/v2`. The stream is at `/sse` or `/ws` below it.
   */
  url?: string | undefined
  /** A key whose plan allows connections. A blank string counts as absent. */
  apiKey?: string | undefined
  /**
   * A token instead of `apiKey`, as servers of TonAPI require: sent as `Authorization: Bearer`, and by a WebSocket as the
   * parameter `token`. A blank string counts as absent.
   */
  bearerToken?: string | undefined
  /**
   * `sse` sends the key in a header. `websocket` sends it in the address, which logs of proxies may contain, and changes its
   * subscription without another connection. It does not show the status of a refused connection, for example 429.
   * @default 'sse'
   */
  transport?: 'sse' | 'websocket' | undefined
  /** @default globalThis.fetch */
  fetch?: Fetch | undefined
  /** For `websocket` in Node 20, for example that of the package `ws`. @default globalThis.WebSocket */
  WebSocket?: WebSocketConstructor | undefined
  /** Receives one line when the connection is lost, and one when it is there again. @default the console */
  logger?: Logger | undefined
  /** @default a monotonic clock */
  clock?: Clock | undefined
  /** Random numbers from 0 to below 1, for the delays of reconnects. @default Math.random */
  random?: (() => number) | undefined
}

const streamOptions: OptionShape<StreamOptions> = {
  network: optionalParam(oneOfParam(NETWORKS)),
  baseUrl: anyOption,
  url: anyOption,
  apiKey: anyOption,
  bearerToken: anyOption,
  transport: optionalParam(oneOfParam(['sse', 'websocket'])),
  fetch: optionalParam(functionParam),
  WebSocket: optionalParam(functionParam),
  logger: optionalParam(objectParam('a logger', 'info', 'warn')),
  clock: optionalParam(objectParam('an object')),
  random: optionalParam(functionParam),
}

/** The checked options with their defaults. They hold no API key: only `authorize` and `redact` contain it. */
export type ResolvedStreamOptions = ReturnType<typeof resolveStreamOptions>

/** @throws {ConfigurationError} for an unknown or invalid option. */
export function resolveStreamOptions(options: StreamOptions) {
  checkOptions(streamOptions, options)
  const { transport, WebSocket, logger = consoleLogger, url, bearerToken, ...rest } = options
  const token = readApiKey(bearerToken, 'bearerToken')
  if (token !== undefined && readApiKey(rest.apiKey) !== undefined) {
    const problem = 'cannot be combined with apiKey'
    throw new ConfigurationError({ option: 'bearerToken', problem })
  }
  const ofTransport = resolveOptions({ ...rest, rps: Infinity })
  const { roots, authorize, fetch, clock, random } = ofTransport
  const redactToken = createRedact(token)
  return {
    /** Adds the key or the token to the headers of a request. */
    authorize: (headers: Record<string, string>): Record<string, string> =>
      token === undefined ? authorize(headers) : { authorization: `Bearer ${token}`, ...headers },
    /** The query of a WebSocket, which has no headers. */
    query: (): string => {
      const apiKey = authorize({})['x-api-key']
      if (token !== undefined) return `?token=${encodeURIComponent(token)}`
      return apiKey === undefined ? '' : `?api_key=${encodeURIComponent(apiKey)}`
    },
    redact: (text: string): string => redactToken(ofTransport.redact(text)),
    fetch,
    clock,
    random,
    /** The address of the stream. */
    url: url === undefined ? `${roots[0]}/api/streaming/v2` : streamUrl(url, rest),
    /** Absent for server-sent events. */
    WebSocket: transport === 'websocket' ? webSocketOf(WebSocket) : undefined,
    logger: guardLogger(logger),
  }
}

/**
 * Returns the address without its last part, `/sse` or `/ws`, as `http:` or `https:`. Messages do not quote it, since it may
 * contain credentials.
 */
function streamUrl(text: unknown, { network, baseUrl }: StreamOptions): string {
  if ((network ?? baseUrl) !== undefined)
    throw invalidUrl('cannot be combined with network or baseUrl')
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^(?:https?|wss?):$/.test(url.protocol)) {
    throw invalidUrl('must be an http(s) or ws(s) URL')
  }
  if (url.username + url.password + url.search + url.hash !== '') {
    throw invalidUrl('must have no credentials, query or fragment; use apiKey or bearerToken')
  }
  const path = url.pathname.replace(/\/+$/, '').replace(/\/(?:sse|ws)$/, '')
  return `${url.protocol.replace('ws', 'http')}//${url.host}${path}`
}

function invalidUrl(problem: string): ConfigurationError {
  return new ConfigurationError({ option: 'url', problem })
}

function webSocketOf(WebSocket: StreamOptions['WebSocket'] = globalThis.WebSocket) {
  if (typeof WebSocket === 'function') return WebSocket
  const problem =
    "is missing, since this runtime has no global one. Use transport 'sse', or pass the WebSocket of the package ws"
  throw new ConfigurationError({ option: 'WebSocket', problem })
}

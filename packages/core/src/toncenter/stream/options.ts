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
import { NETWORKS, type Network } from '../transport/servers.js'

/** The part of a `WebSocket` that is used; that of the platform and that of the package `ws` fit. */
export interface WebSocketLike {
  addEventListener(
    type: 'open' | 'message' | 'error' | 'close',
    listener: (event: { type: string; data?: unknown }) => void,
  ): void
  send(text: string): void
  close(): void
}

/** Options of {@link createStream}. */
export interface StreamOptions {
  /** @default 'mainnet' */
  network?: Network | undefined
  /** An own server instead of a network. The stream is at `/api/streaming/v2` below the address. */
  baseUrl?: string | undefined
  /** A key whose plan allows connections. A blank string counts as absent. */
  apiKey?: string | undefined
  /**
   * `sse` sends the key in a header. `websocket` sends it in the address, which logs of proxies may contain, and changes its
   * subscription without another connection.
   * @default 'sse'
   */
  transport?: 'sse' | 'websocket' | undefined
  /** @default globalThis.fetch */
  fetch?: Fetch | undefined
  /** For `websocket` in Node 20, for example that of the package `ws`. @default globalThis.WebSocket */
  WebSocket?: (new (url: string) => WebSocketLike) | undefined
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
  apiKey: anyOption,
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
  const { transport, WebSocket, logger = consoleLogger, ...rest } = options
  const ofTransport = resolveOptions({ ...rest, rps: Infinity })
  const { roots, authorize, redact, fetch, clock, random } = ofTransport
  return {
    authorize,
    redact,
    fetch,
    clock,
    random,
    /** The address of the stream. */
    url: `${roots[0]}/api/streaming/v2`,
    /** Absent for server-sent events. */
    WebSocket: transport === 'websocket' ? webSocketOf(WebSocket) : undefined,
    logger: guardLogger(logger),
  }
}

function webSocketOf(WebSocket: StreamOptions['WebSocket'] = globalThis.WebSocket) {
  if (typeof WebSocket === 'function') return WebSocket
  const problem =
    "is missing, since this runtime has no global one. Use transport 'sse', or pass the WebSocket of the package ws"
  throw new ConfigurationError({ option: 'WebSocket', problem })
}

import { isObject } from '../../shared/is-object.js'
import { createAlarm } from '../../shared/timers.js'
import type { Clock } from '../../shared/clock.js'
import type { TonplugError } from '../../shared/tonplug-error.js'
import {
  createDeferred,
  isConnectionLimit,
  lostError,
  refusedError,
  silentError,
  withinOpenTimeout,
  type Deferred,
  tooLongError,
  MAX_EVENT_LENGTH,
  type Link,
  type LinkListener,
  type OpenLink,
} from './link.js'
import { tryParseJson } from '../transport/lossless-json.js'
import { deepestCode, type Redact } from '../transport/redact.js'
import type { ResolvedStreamOptions, WebSocketConstructor, WebSocketLike } from './options.js'
import { writeSelection, type Selection } from './subscription.js'

/** The gateway closes a connection after about 30 seconds of silence. */
const PING_MS = 10_000
/** The code of the package `ws` for a message longer than `maxPayload`. */
const TOO_LONG = 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH'
/** A ping, and five seconds for its response. */
const SILENCE_MS = 15_000

/** Opens WebSockets. They have no headers, so the key is in the address. */
export function createWebSocketOpener(
  options: ResolvedStreamOptions,
  WebSocket: WebSocketConstructor,
): OpenLink {
  return async (selection, listener, signal) => {
    signal.throwIfAborted()
    const webSocket = new WebSocket(socketUrl(options), [], { maxPayload: MAX_EVENT_LENGTH })
    const socket = createSocket(webSocket, options, listener)
    try {
      await socket.replace(selection, signal)
    } catch (error) {
      socket.close()
      throw error
    }
    return socket
  }
}

function socketUrl({ url, query }: ResolvedStreamOptions): string {
  return `${url.replace(/^http/, 'ws')}/ws${query()}`
}

function createSocket(
  webSocket: WebSocketLike,
  { clock, redact }: ResolvedStreamOptions,
  { onAcknowledged, onEvent }: LinkListener,
): Required<Link> {
  const opened = createDeferred<void>()
  const ended = createDeferred<TonplugError>()
  const requests = createRequests(webSocket)
  const close = (): void => {
    heartbeat.stop()
    webSocket.close()
  }
  const end = (error: TonplugError): void => {
    close()
    opened.reject(error)
    requests.end(error)
    ended.resolve(error)
  }
  const ping = (): void => void requests.send({ operation: 'ping' })
  const heartbeat = createHeartbeat(clock, ping, () => end(silentError('body', SILENCE_MS)))

  webSocket.addEventListener('open', () => {
    opened.resolve()
    heartbeat.begin()
  })
  webSocket.addEventListener('message', ({ data }) => {
    heartbeat.received()
    if (typeof data === 'string' && data.length > MAX_EVENT_LENGTH) return end(tooLongError())
    const json = typeof data === 'string' ? tryParseJson(data) : undefined
    if (!isObject(json) || 'type' in json) return onEvent(json)
    const refusal = requests.settle(json, redact)
    if (refusal !== undefined) end(refusal)
  })
  // Any other error is followed by `close`.
  webSocket.addEventListener('error', ({ error }) => {
    if (deepestCode(error) === TOO_LONG) end(tooLongError())
  })
  webSocket.addEventListener('close', () => end(lostError(undefined, redact)))

  const replace = (selection: Selection, signal: AbortSignal): Promise<void> =>
    withinOpenTimeout({ clock, signal }, async () => {
      await opened.promise
      signal.throwIfAborted()
      const fields = { operation: 'subscribe', ...writeSelection(selection) }
      await requests.ask(fields, () => onAcknowledged(selection))
    })
  return { ended: ended.promise, replace, close }
}

/** Sends pings, and reports when nothing is received: the connection is half-open. */
function createHeartbeat(clock: Clock, ping: () => void, onSilent: () => void) {
  const silence = createAlarm(clock, onSilent)
  const nextPing = createAlarm(clock, () => {
    ping()
    nextPing.set(PING_MS)
  })
  silence.set(SILENCE_MS)
  return {
    begin: () => nextPing.set(PING_MS),
    received: () => silence.set(SILENCE_MS),
    stop() {
      silence.cancel()
      nextPing.cancel()
    },
  }
}

/** A request without a response. */
interface Request extends Deferred<void> {
  onAcknowledged: () => void
}

/** Requests that wait for their responses, by id. */
function createRequests(webSocket: WebSocketLike) {
  const waiting = new Map<unknown, Request>()
  let failure: TonplugError | undefined
  let lastId = 0
  const send = (fields: object): string => {
    const id = `${++lastId}`
    webSocket.send(JSON.stringify({ id, ...fields }))
    return id
  }
  const rejectAll = (error: TonplugError): void => {
    for (const request of waiting.values()) request.reject(error)
  }
  return {
    send,
    async ask(fields: object, onAcknowledged: () => void): Promise<void> {
      // A refusal may arrive with the handshake.
      if (failure !== undefined) throw failure
      const request = { ...createDeferred<void>(), onAcknowledged }
      const id = send(fields)
      waiting.set(id, request)
      await request.promise.finally(() => waiting.delete(id))
    },
    /** Settles the request of a response. @returns the error of a response that refuses the connection. */
    settle({ id, status, error }: Readonly<Record<string, unknown>>, redact: Redact) {
      if (typeof error === 'string') {
        const reason = redact(error)
        if (isConnectionLimit(reason)) return refusedError({ status: 429, reason })
        const refusal = refusedError({ status: 400, reason })
        // An error without an id concerns any of them.
        if (id === undefined) rejectAll(refusal)
        else waiting.get(id)?.reject(refusal)
      } else if (status === 'subscribed') {
        const request = waiting.get(id)
        request?.onAcknowledged()
        request?.resolve()
      }
      return undefined
    },
    end(error: TonplugError) {
      failure ??= error
      rejectAll(error)
    },
  }
}

import { createParser } from 'eventsource-parser'
import { linkAbort } from '../../shared/abort.js'
import { createAlarm } from '../../shared/timers.js'
import { isTonplugError, type TonplugError } from '../../shared/tonplug-error.js'
import { readErrorBody, readRetryAfter } from '../transport/classify.js'
import { tryParseJson } from '../transport/lossless-json.js'
import type { FetchResponse } from '../transport/options.js'
import {
  createDeferred,
  lostError,
  refusedError,
  silentError,
  withinOpenTimeout,
  tooLongError,
  MAX_EVENT_LENGTH,
  type Link,
  type LinkListener,
  type OpenLink,
} from './link.js'
import type { ResolvedStreamOptions } from './options.js'
import { writeSelection } from './subscription.js'

/** The server sends a comment every 15 seconds. */
const SILENCE_MS = 25_000
/** Longest text of a refusal. */
const MAX_REFUSAL_LENGTH = 10_000

/** Opens connections by server-sent events over `fetch`, with the key in a header. */
export function createSseOpener(options: ResolvedStreamOptions): OpenLink {
  const { clock, redact, authorize, fetch, url } = options
  return async (selection, listener, signal) => {
    const controller = new AbortController()
    const unlink = linkAbort(signal, controller)
    try {
      const headers = { accept: 'text/event-stream', 'content-type': 'application/json' }
      return await withinOpenTimeout({ clock, signal }, async () => {
        const response = await fetch(`${url}/sse`, {
          method: 'POST',
          headers: authorize(headers),
          body: JSON.stringify({ id: '1', ...writeSelection(selection) }),
          redirect: 'manual',
          signal: controller.signal,
        })
        if (response.status !== 200) throw await readRefusal(response, options)
        const onAcknowledged = (): void => listener.onAcknowledged(selection)
        return await openLink(response, { ...listener, options, onAcknowledged, controller })
      })
    } catch (error) {
      controller.abort()
      signal.throwIfAborted()
      throw isTonplugError(error) ? error : lostError(error, redact)
    } finally {
      unlink()
    }
  }
}

interface Opening {
  options: ResolvedStreamOptions
  onAcknowledged: () => void
  onEvent: LinkListener['onEvent']
  /** Ends the request. */
  controller: AbortController
}

/** Reads until the server has acknowledged the subscription, and continues to read in the background. */
async function openLink({ body }: FetchResponse, opening: Opening): Promise<Link> {
  const { options, onAcknowledged, onEvent, controller } = opening
  const acknowledged = createDeferred<void>()
  const ended = createDeferred<TonplugError>()
  const end = (error: TonplugError): void => {
    silence.cancel()
    controller.abort()
    acknowledged.reject(error)
    ended.resolve(error)
  }
  // The connection is half-open.
  const silence = createAlarm(options.clock, () => end(silentError('body', SILENCE_MS)))
  silence.set(SILENCE_MS)
  controller.signal.addEventListener('abort', () => silence.cancel(), { once: true })
  const parser = createParser({
    maxBufferSize: MAX_EVENT_LENGTH,
    onEvent({ event, data }) {
      if (event !== 'connected') return onEvent(tryParseJson(data))
      onAcknowledged()
      acknowledged.resolve()
    },
    onError({ type }) {
      if (type === 'max-buffer-size-exceeded') throw tooLongError()
    },
  })
  const readEvents = async (): Promise<void> => {
    for await (const text of readText(body)) {
      if (controller.signal.aborted) return
      silence.set(SILENCE_MS)
      parser.feed(text)
    }
  }
  readEvents().then(
    () => end(lostError(undefined, options.redact)),
    (error: unknown) => end(isTonplugError(error) ? error : lostError(error, options.redact)),
  )
  await acknowledged.promise
  return { ended: ended.promise, close: () => controller.abort() }
}

async function* readText(body: FetchResponse['body']): AsyncGenerator<string> {
  const reader = body?.getReader()
  if (reader === undefined) return
  const decoder = new TextDecoder()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield decoder.decode(value, { stream: true })
  }
}

async function readRefusal(
  { status, headers, body }: FetchResponse,
  { clock, redact }: ResolvedStreamOptions,
): Promise<TonplugError> {
  let text = ''
  for await (const piece of readText(body)) {
    text += piece
    if (text.length >= MAX_REFUSAL_LENGTH) break
  }
  const retryAfterMs = readRetryAfter(headers, clock.nowMs())
  const contentType = headers.get('content-type') ?? undefined
  const reason = redact(readErrorBody(tryParseJson(text)).reason || text)
  return refusedError({ status, reason, retryAfterMs, contentType })
}

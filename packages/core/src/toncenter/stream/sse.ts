import { createAlarm } from '../../shared/alarm.js'
import { linkAbort } from '../../shared/abort.js'
import { isTonplugError, type TonplugError } from '../../shared/tonplug-error.js'
import { readErrorBody, readRetryAfter } from '../transport/classify.js'
import type { FetchResponse } from '../transport/options.js'
import {
  createDeferred,
  lostError,
  refusedError,
  silentError,
  tryParse,
  withinOpenTimeout,
  type Link,
  type OnEvent,
  type OpenLink,
} from './link.js'
import type { ResolvedStreamOptions } from './options.js'
import { createSseParser } from './sse-frames.js'
import { writeSelection } from './subscription.js'

/** The server sends a comment every 15 seconds. */
const SILENCE_MS = 25_000
/** Longest text of a refusal. */
const MAX_REFUSAL_BYTES = 10_000

/** Opens connections by server-sent events over `fetch`, with the key in a header. */
export function createSseOpener(options: ResolvedStreamOptions): OpenLink {
  const { clock, redact, authorize, fetch, url } = options
  return async (selection, onEvent, signal) => {
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
        return await openLink(response, { options, onEvent, controller })
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
  onEvent: OnEvent
  /** Ends the request. */
  controller: AbortController
}

/** Reads until the server has acknowledged the subscription, and continues to read in the background. */
async function openLink({ body }: FetchResponse, opening: Opening): Promise<Link> {
  const { options, onEvent, controller } = opening
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
  readFrames(
    body,
    () => silence.set(SILENCE_MS),
    ({ event, data }) => {
      if (event === 'connected') acknowledged.resolve()
      else onEvent(tryParse(data))
    },
  ).then(
    () => end(lostError(undefined, options.redact)),
    (error: unknown) => end(lostError(error, options.redact)),
  )
  await acknowledged.promise
  return { ended: ended.promise, close: () => controller.abort() }
}

async function readFrames(
  body: FetchResponse['body'],
  onBytes: () => void,
  onFrame: (frame: { event: string; data: string }) => void,
): Promise<void> {
  const reader = body?.getReader()
  if (reader === undefined) return
  const decoder = new TextDecoder()
  const parse = createSseParser()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    onBytes()
    for (const frame of parse(decoder.decode(value, { stream: true }))) onFrame(frame)
  }
}

async function readRefusal(
  { status, headers, body }: FetchResponse,
  { clock, redact }: ResolvedStreamOptions,
): Promise<TonplugError> {
  const reader = body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  while (reader !== undefined && text.length < MAX_REFUSAL_BYTES) {
    const { done, value } = await reader.read()
    if (done) break
    text += decoder.decode(value, { stream: true })
  }
  const retryAfterMs = readRetryAfter(headers, clock.nowMs())
  const contentType = headers.get('content-type') ?? undefined
  return refusedError({ status, reason: redact(readReason(text)), retryAfterMs, contentType })
}

function readReason(text: string): string {
  return readErrorBody(tryParse(text)).reason || text
}

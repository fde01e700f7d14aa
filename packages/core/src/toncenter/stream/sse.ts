import { createAlarm } from '../../shared/alarm.js'
import { linkAbort } from '../../shared/abort.js'
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
  type Link,
  type OnEvent,
  type OpenLink,
} from './link.js'
import type { ResolvedStreamOptions } from './options.js'
import { writeSelection } from './subscription.js'

/** The server sends a comment every 15 seconds. */
const SILENCE_MS = 25_000
/** Longest text of a refusal. */
const MAX_REFUSAL_LENGTH = 10_000
/** Characters of a frame. */
const MAX_FRAME_LENGTH = 16_777_216

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
  const parse = createSseParser()
  const readFrames = async (): Promise<void> => {
    for await (const text of readText(body)) {
      silence.set(SILENCE_MS)
      for (const { event, data } of parse(text)) {
        if (event === 'connected') acknowledged.resolve()
        else onEvent(tryParseJson(data))
      }
    }
  }
  readFrames().then(
    () => end(lostError(undefined, options.redact)),
    (error: unknown) => end(lostError(error, options.redact)),
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

/** A frame of a stream of server-sent events. */
interface SseFrame {
  event: string
  data: string
}

/** A frame is longer than any that the server sends. */
class FrameTooLongError extends Error {}

/**
 * Creates a parser of server-sent events. Comments are ignored, and so are `id` and `retry`, which the server does not send.
 * @returns a function that returns the frames that a piece of text completes. @throws {FrameTooLongError}
 */
function createSseParser(): (text: string) => SseFrame[] {
  let rest = ''
  let event = ''
  let data: string[] = []
  let length = 0

  const readLine = (line: string): SseFrame | undefined => {
    if (line === '') {
      const frame = data.length === 0 ? undefined : { event, data: data.join('\n') }
      event = ''
      data = []
      length = 0
      return frame
    }
    const [, name, value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? []
    if (name === 'event') event = value
    if (name === 'data') data.push(value)
    length += line.length
    return undefined
  }

  return (text) => {
    // A piece may end between the two characters of a line end.
    const lines = (rest + text).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    const frames = lines.flatMap((line) => readLine(line) ?? [])
    if (rest.length + length > MAX_FRAME_LENGTH) throw new FrameTooLongError()
    return frames
  }
}

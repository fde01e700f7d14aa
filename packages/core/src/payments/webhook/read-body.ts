import type { Clock } from '../../shared/clock.js'
import { concatenate, readBytes } from '../../shared/read-bytes.js'
import { BodyIncompleteError, BodyTooLargeError, RawBodyUnavailableError } from './errors.js'
import type { BodyReader } from './request.js'

/** The part of a Node readable stream that reading a body needs, for example `IncomingMessage`. */
export interface NodeReadable {
  readonly destroyed: boolean
  /** True when the sender has disconnected. A request of HTTP/2 then ends as if it was complete. */
  readonly aborted?: boolean
  on(event: 'data', listener: (chunk: Uint8Array | string) => void): unknown
  on(event: 'end' | 'close', listener: () => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
  removeListener(event: 'data', listener: (chunk: Uint8Array | string) => void): unknown
  removeListener(event: 'end' | 'close', listener: () => void): unknown
  removeListener(event: 'error', listener: (error: Error) => void): unknown
  resume(): unknown
}

type Limits = Parameters<BodyReader>[0]

/**
 * The limits of one request, for a reader of tonplug. A class, because an object with a getter of its own costs more than the
 * reading of a short body, and creates its signal only for a reader that uses it.
 */
export class ReceiverLimits implements Limits {
  readonly maxBodyBytes: number
  private controller: AbortController | undefined
  private onStopped: (() => void) | undefined

  constructor(maxBodyBytes: number) {
    this.maxBodyBytes = maxBodyBytes
  }

  get signal(): AbortSignal {
    return (this.controller ??= new AbortController()).signal
  }

  /** Calls a function when the reader must stop. @returns the function that removes it. */
  onStop(call: () => void): () => void {
    this.onStopped = call
    return () => {
      this.onStopped = undefined
    }
  }

  /** Makes the reader stop. */
  stop(): void {
    this.onStopped?.()
    this.controller?.abort()
  }
}

/** Marks the readers of tonplug: they do not copy their limits. */
const OWN = Symbol('tonplug:own-reader')

/** Marks a reader that does not copy its limits. */
export function ownReader<Reader extends BodyReader>(reader: Reader): Reader {
  return Object.assign(reader, { [OWN]: true })
}

/** Returns true for a reader that {@link ownReader} has marked. */
export function isOwnReader(reader: BodyReader): boolean {
  return OWN in reader
}

/** Limits of a body that is read before a receiver gets the request. */
type TimedLimits = Exclude<Parameters<ReturnType<typeof readNodeBody>>[0], Limits>

/**
 * Returns a reader of the body of a Node request that was not read before. It keeps at most `maxBodyBytes`. When it stops
 * early, it discards the rest of the body, so that a response can still be written. Without a receiver, it takes a deadline
 * instead of a signal.
 * @throws {BodyTooLargeError} beyond `maxBodyBytes`.
 * @throws {BodyIncompleteError} when the sender disconnects, at the deadline, and when the signal is aborted.
 * @throws {RawBodyUnavailableError} when `setEncoding()` was called on the stream.
 */
export function readNodeBody(
  stream: NodeReadable,
): (
  limits:
    | Parameters<BodyReader>[0]
    | { maxBodyBytes: number; deadlineMs: number; clock: Pick<Clock, 'setTimer'> },
) => Promise<Uint8Array> {
  return ownReader(
    (limits) =>
      new Promise((resolve, reject) => {
        const { maxBodyBytes } = limits
        // A destroyed stream emits no further event.
        if (stream.destroyed) {
          reject(new BodyIncompleteError())
          return
        }
        const chunks: Uint8Array[] = []
        let length = 0
        const stop = (error: Error): void => {
          removeListeners()
          // Without a listener, a later error of the socket would end the process.
          stream.on('error', () => undefined)
          stream.resume()
          reject(error)
        }
        const removeListeners = listen(stream, limits, {
          onData(chunk) {
            if (typeof chunk === 'string') {
              stop(unavailable('the stream was set to text by setEncoding()'))
              return
            }
            length += chunk.byteLength
            if (length > maxBodyBytes) stop(new BodyTooLargeError({ maxBodyBytes }))
            else chunks.push(chunk)
          },
          onEnd() {
            if (stream.aborted === true) {
              stop(new BodyIncompleteError())
              return
            }
            removeListeners()
            resolve(concatenate(chunks, length))
          },
          onGone: (cause) => stop(new BodyIncompleteError({ cause })),
        })
      }),
  )
}

interface BodyListeners {
  onData: (chunk: Uint8Array | string) => void
  onEnd: () => void
  /** The body will not be complete. */
  onGone: (cause?: unknown) => void
}

/** @returns the function that removes the listeners. */
function listen(
  stream: NodeReadable,
  limits: Limits | TimedLimits,
  { onData, onEnd, onGone }: BodyListeners,
): () => void {
  const cancel = onLimit(limits, onGone)
  stream.on('data', onData)
  stream.on('end', onEnd)
  stream.on('error', onGone)
  stream.on('close', onGone)
  return () => {
    stream.removeListener('data', onData)
    stream.removeListener('end', onEnd)
    stream.removeListener('error', onGone)
    stream.removeListener('close', onGone)
    cancel()
  }
}

/** @returns the function that removes the listener. */
function onLimit(limits: Limits | TimedLimits, call: (reason?: unknown) => void): () => void {
  if (limits instanceof ReceiverLimits) return limits.onStop(call)
  return 'signal' in limits ? onAbort(limits.signal, call) : startTimer(limits, call)
}

/** @returns the function that removes the listener. */
function onAbort(signal: AbortSignal, call: (reason: unknown) => void): () => void {
  const listener = (): void => call(signal.reason)
  signal.addEventListener('abort', listener)
  return () => signal.removeEventListener('abort', listener)
}

/** @returns the function that cancels the timer. */
function startTimer({ clock, deadlineMs }: TimedLimits, call: () => void): () => void {
  return clock.setTimer(() => call(), deadlineMs)
}

/**
 * Returns a reader of the body of a Fetch request.
 * @throws {RawBodyUnavailableError} when the body was read before.
 * @throws {BodyTooLargeError} beyond `maxBodyBytes`.
 * @throws {BodyIncompleteError} when the sender disconnects, or the signal is aborted while a body of unknown length is read.
 */
export function readFetchBody(request: Request): (limits: Limits) => Promise<Uint8Array> {
  return ownReader((limits: Limits) => {
    if (request.bodyUsed) return Promise.reject(readBefore())
    const length = request.headers.get('content-length') ?? ''
    // The server reads no more bytes than that.
    const isShort = /^\d+$/.test(length) && Number(length) <= limits.maxBodyBytes
    return isShort ? readWhole(request, limits) : readStream(request, limits)
  })
}

/**
 * Reads the body in one call: on Node, its web stream would double the cost of a request. Nothing can stop this call, so the
 * receiver abandons it at the deadline.
 */
async function readWhole(request: Request, { maxBodyBytes }: Limits): Promise<Uint8Array> {
  try {
    const bytes = new Uint8Array(await request.arrayBuffer())
    if (bytes.byteLength > maxBodyBytes) throw new BodyTooLargeError({ maxBodyBytes })
    return bytes
  } catch (cause) {
    if (cause instanceof BodyTooLargeError) throw cause
    // A locked body cannot be read at all.
    throw request.bodyUsed ? new BodyIncompleteError({ cause }) : readBefore()
  }
}

async function readStream(
  { body }: Request,
  { maxBodyBytes, signal }: Limits,
): Promise<Uint8Array> {
  if (body?.locked === true) throw readBefore()
  const reader = body?.getReader()
  if (reader === undefined) return new Uint8Array()
  const cancel = (): void => void reader.cancel().catch(() => undefined)
  signal.addEventListener('abort', cancel)
  try {
    const bytes = await readBytes(reader, { maxBytes: maxBodyBytes, signal })
    if (bytes === undefined) throw new BodyTooLargeError({ maxBodyBytes })
    // A cancelled stream ends like a complete one.
    signal.throwIfAborted()
    return bytes
  } catch (cause) {
    cancel()
    throw cause instanceof BodyTooLargeError ? cause : new BodyIncompleteError({ cause })
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

function readBefore(): RawBodyUnavailableError {
  return unavailable('the body of the Request was read before')
}

function unavailable(found: string): RawBodyUnavailableError {
  const fix = 'pass the request to tonplug before any other reader of its body'
  return new RawBodyUnavailableError({ found, fix })
}

import { untilAborted } from '../shared/abort.js'
import { BodyIncompleteError, BodyTooLargeError, RawBodyUnavailableError } from './errors.js'
import type { BodyReader } from './request.js'

/** The part of a Node readable stream that reading a body needs, for example `IncomingMessage`. */
export interface NodeReadable {
  readonly destroyed: boolean
  on(event: 'data', listener: (chunk: Uint8Array | string) => void): unknown
  on(event: 'end' | 'close', listener: () => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
  removeListener(event: 'data', listener: (chunk: Uint8Array | string) => void): unknown
  removeListener(event: 'end' | 'close', listener: () => void): unknown
  removeListener(event: 'error', listener: (error: Error) => void): unknown
  resume(): unknown
}

/**
 * Returns a reader of the body of a Node request that was not read before. It keeps at most `maxBodyBytes`. When it stops
 * early, it discards the rest of the body, so that a response can still be written.
 * @throws {BodyTooLargeError} beyond `maxBodyBytes`.
 * @throws {BodyIncompleteError} when the sender disconnects, or the signal is aborted.
 * @throws {RawBodyUnavailableError} when `setEncoding()` was called on the stream.
 */
export function readNodeBody(stream: NodeReadable): BodyReader {
  return ({ maxBodyBytes, signal }) =>
    new Promise((resolve, reject) => {
      const chunks: Uint8Array[] = []
      let length = 0
      const onData = (chunk: Uint8Array | string): void => {
        if (typeof chunk === 'string') {
          stop(unavailable('the stream was set to text by setEncoding()'))
          return
        }
        length += chunk.byteLength
        if (length > maxBodyBytes) stop(new BodyTooLargeError({ maxBodyBytes }))
        else chunks.push(chunk)
      }
      const onEnd = (): void => {
        removeListeners()
        resolve(concatenate(chunks, length))
      }
      const onGone = (cause?: Error): void => stop(new BodyIncompleteError({ cause }))
      const onAbort = (): void => stop(new BodyIncompleteError({ cause: signal.reason }))
      const stop = (error: Error): void => {
        removeListeners()
        // Without a listener, a later error of the socket would end the process.
        stream.on('error', () => undefined)
        stream.resume()
        reject(error)
      }
      const removeListeners = (): void => {
        stream.removeListener('data', onData)
        stream.removeListener('end', onEnd)
        stream.removeListener('error', onGone)
        stream.removeListener('close', onGone)
        signal.removeEventListener('abort', onAbort)
      }
      // A destroyed stream emits no further event.
      if (stream.destroyed) {
        reject(new BodyIncompleteError())
        return
      }
      stream.on('data', onData)
      stream.on('end', onEnd)
      stream.on('error', onGone)
      stream.on('close', onGone)
      signal.addEventListener('abort', onAbort)
    })
}

/**
 * Returns a reader of the body of a Fetch request.
 * @throws {RawBodyUnavailableError} when the body was read before.
 * @throws {BodyTooLargeError} beyond `maxBodyBytes`.
 * @throws {BodyIncompleteError} when the sender disconnects, or the signal is aborted.
 */
export function readFetchBody(request: Request): BodyReader {
  return async (limits) => {
    if (request.bodyUsed) throw readBefore()
    return isShort(request, limits.maxBodyBytes)
      ? readWhole(request, limits)
      : readStream(request, limits)
  }
}

type Limits = Parameters<BodyReader>[0]

/** Returns true for a `content-length` within the limit. The server reads no more bytes than that. */
function isShort({ headers }: Request, maxBodyBytes: number): boolean {
  const length = headers.get('content-length') ?? ''
  return /^\d+$/.test(length) && Number(length) <= maxBodyBytes
}

/** Reads the body in one call: on Node, its web stream would double the cost of a request. */
async function readWhole(request: Request, { maxBodyBytes, signal }: Limits): Promise<Uint8Array> {
  try {
    const bytes = new Uint8Array(await untilAborted(request.arrayBuffer(), signal))
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
    const bytes = await readAll(reader, maxBodyBytes)
    // A cancelled stream ends like a complete one.
    if (signal.aborted) throw signal.reason
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

async function readAll(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  maxBodyBytes: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return concatenate(chunks, length)
    length += value.byteLength
    if (length > maxBodyBytes) throw new BodyTooLargeError({ maxBodyBytes })
    chunks.push(value)
  }
}

function unavailable(found: string): RawBodyUnavailableError {
  const fix = 'pass the request to tonplug before any other reader of its body'
  return new RawBodyUnavailableError({ found, fix })
}

function concatenate(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const [first] = chunks
  if (chunks.length === 1 && first !== undefined) return first
  const bytes = new Uint8Array(length)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.byteLength
  }
  return bytes
}

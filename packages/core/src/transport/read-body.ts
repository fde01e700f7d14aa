import type { FetchResponse } from './options.js'

const DECODER = new TextDecoder()

/** The body went beyond the limit; what was not read is thrown away. */
export class BodyLimitPassed extends Error {}

/**
 * The whole body as text, read as UTF-8.
 * @throws {BodyLimitPassed} beyond `maxBytes`, before the body is read when the header says so.
 * @throws the signal's reason, and what the stream throws when it breaks off.
 */
export async function readBody(
  response: FetchResponse,
  options: { maxBytes: number; signal: AbortSignal },
): Promise<string> {
  if (response.body === null) return ''
  const reader = response.body.getReader()
  try {
    if (Number(response.headers.get('content-length')) > options.maxBytes) {
      throw new BodyLimitPassed()
    }
    return DECODER.decode(await readAll(reader, options))
  } catch (error) {
    // Closes the connection; nobody waits for that.
    reader.cancel().catch(() => undefined)
    throw error
  }
}

type BodyReader = ReturnType<NonNullable<FetchResponse['body']>['getReader']>

async function readAll(
  reader: BodyReader,
  { maxBytes, signal }: { maxBytes: number; signal: AbortSignal },
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for (;;) {
    signal.throwIfAborted()
    const { done, value } = await reader.read()
    if (done) return join(chunks, length)
    if (value === undefined) continue
    length += value.byteLength
    if (length > maxBytes) throw new BodyLimitPassed()
    chunks.push(value)
  }
}

function join(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const [first] = chunks
  if (first !== undefined && chunks.length === 1) return first
  const whole = new Uint8Array(length)
  let offset = 0
  for (const chunk of chunks) {
    whole.set(chunk, offset)
    offset += chunk.byteLength
  }
  return whole
}

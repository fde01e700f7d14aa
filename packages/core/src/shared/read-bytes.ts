/** The part of a stream's reader that reading bytes needs. */
interface ByteReader {
  read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>
}

/**
 * Reads a stream to its end.
 * @returns `undefined` beyond `maxBytes`.
 * @throws the signal's reason, and what the stream throws.
 */
export async function readBytes(
  reader: ByteReader,
  { maxBytes, signal }: { maxBytes: number; signal: AbortSignal },
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  let length = 0
  for (;;) {
    signal.throwIfAborted()
    const { done, value } = await reader.read()
    if (done) return concatenate(chunks, length)
    if (value === undefined) continue
    length += value.byteLength
    if (length > maxBytes) return undefined
    chunks.push(value)
  }
}

/** Joins the chunks of a body. @param length of all chunks */
export function concatenate(chunks: readonly Uint8Array[], length: number): Uint8Array {
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

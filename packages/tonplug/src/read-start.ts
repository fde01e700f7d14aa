/** Reads the beginning of a body, at least `bytes` of it unless it is shorter. The rest may be endless, and is not read. */
export async function readStart({ body }: Response, bytes: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  // Leaving the loop cancels the rest.
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    length += chunk.byteLength
    if (length >= bytes) break
  }
  return Buffer.concat(chunks).toString()
}

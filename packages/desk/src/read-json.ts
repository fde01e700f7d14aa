import { DeskRequestError } from './responses.js'

/** The longest body of a POST. */
export const MAX_BYTES = 16_384

/**
 * Reads the JSON object of a POST.
 * @throws {DeskRequestError} with 413 for more than 16 KiB, 415 for another content type, 408 for a body that does not arrive, and
 * 400 for anything else.
 */
export async function readJson(request: Request): Promise<Record<string, unknown>> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/json\s*(;|$)/i.test(type)) throw invalid(415, 'Send application/json.')
  const text = await readText(request)
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    throw invalid(400, 'The body is not JSON.')
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalid(400, 'The body is not a JSON object.')
  }
  // Checked above.
  return body as Record<string, unknown>
}

async function readText({ headers, body }: Request): Promise<string> {
  if (Number(headers.get('content-length') ?? 0) > MAX_BYTES) throw tooLarge()
  if (body === null) return ''
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of body) {
      length += chunk.byteLength
      if (length > MAX_BYTES) throw tooLarge()
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof DeskRequestError) throw error
    throw invalid(408, 'The body did not arrive.')
  }
  return Buffer.concat(chunks).toString('utf8')
}

function tooLarge(): DeskRequestError {
  return new DeskRequestError(413, 'TOO_LARGE', `The body is larger than ${MAX_BYTES} bytes.`)
}

function invalid(status: number, message: string): DeskRequestError {
  return new DeskRequestError(status, 'INVALID', message)
}

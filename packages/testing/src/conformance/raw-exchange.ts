import assert from 'node:assert/strict'
import { connect } from 'node:net'

/** An answer as it came over the wire. */
export interface RawAnswer {
  status: number
  body: string
}

/** How long a connection may stay open without a word before it is taken for one that hangs. */
const PATIENCE_MS = 10_000

/**
 * Writes bytes to a socket as they are, which no HTTP client would, and reads until the server ends the connection:
 * the last request has to ask for that.
 * @returns the answers in their order; `100 Continue` is none.
 */
export async function exchangeRaw(
  { host, port }: { host: string; port: number },
  bytes: Uint8Array,
): Promise<RawAnswer[]> {
  const socket = connect({ host, port })
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  // A server may cut off what it refuses; what it has written counts.
  socket.on('error', () => undefined)
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  let hangs = false
  socket.setTimeout(PATIENCE_MS, () => {
    hangs = true
    socket.destroy()
  })
  socket.write(bytes)
  await closed
  assert.ok(!hangs, 'the server neither answers nor ends the connection')
  return readAnswers(Buffer.concat(chunks))
}

/** The complete answers at the beginning of what a server wrote. */
function readAnswers(bytes: Buffer): RawAnswer[] {
  const answers: RawAnswer[] = []
  let at = 0
  for (;;) {
    const headEnd = bytes.indexOf('\r\n\r\n', at)
    if (headEnd === -1) return answers
    const head = bytes.toString('latin1', at, headEnd)
    const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1])
    assert.ok(Number.isInteger(status), 'the answer is no HTTP')
    const body = readBody(bytes, headEnd + 4, head)
    if (body === undefined) return answers
    at = body.end
    if (status !== 100) answers.push({ status, body: body.text })
  }
}

function readBody(
  bytes: Buffer,
  at: number,
  head: string,
): { text: string; end: number } | undefined {
  if (/^transfer-encoding: *chunked/im.test(head)) return readChunks(bytes, at)
  const end = at + Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0)
  return end > bytes.length ? undefined : { text: bytes.toString('utf8', at, end), end }
}

function readChunks(bytes: Buffer, from: number): { text: string; end: number } | undefined {
  let text = ''
  for (let at = from; ;) {
    const sizeEnd = bytes.indexOf('\r\n', at)
    const size = Number.parseInt(bytes.toString('latin1', at, sizeEnd), 16)
    const end = sizeEnd + 2 + size + 2
    if (sizeEnd === -1 || end > bytes.length) return undefined
    text += bytes.toString('utf8', sizeEnd + 2, end - 2)
    if (size === 0) return { text, end }
    at = end
  }
}

import assert from 'node:assert/strict'
import { connect } from 'node:net'

/** A response as received over the wire. */
export interface RawAnswer {
  status: number
  body: string
}

/** Time after which a silent connection counts as hanging. */
const TIMEOUT_MS = 60_000

/**
 * Writes bytes to a socket without a change, and reads until the server closes the connection; the last request must ask for
 * that.
 * @returns the responses in sequence, without `100 Continue`.
 */
export async function exchangeRaw(address: Address, bytes: Uint8Array): Promise<RawAnswer[]> {
  return readAnswers(await exchangeBytes(address, bytes))
}

/** Does the same, and returns all received bytes, decoded as Latin-1. */
export async function exchangeText(address: Address, bytes: Uint8Array): Promise<string> {
  return (await exchangeBytes(address, bytes)).toString('latin1')
}

interface Address {
  host: string
  port: number
}

async function exchangeBytes({ host, port }: Address, bytes: Uint8Array): Promise<Buffer> {
  const socket = connect({ host, port })
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  // A server may reset the connection of a refused request; its response counts.
  socket.on('error', () => undefined)
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  let hangs = false
  socket.setTimeout(TIMEOUT_MS, () => {
    hangs = true
    socket.destroy()
  })
  socket.write(bytes)
  await closed
  assert.ok(!hangs, 'the server neither responds nor closes the connection')
  return Buffer.concat(chunks)
}

/** Returns the complete responses at the start of the received bytes. */
function readAnswers(bytes: Buffer): RawAnswer[] {
  const answers: RawAnswer[] = []
  let at = 0
  for (;;) {
    const headEnd = bytes.indexOf('\r\n\r\n', at)
    if (headEnd === -1) return answers
    const head = bytes.toString('latin1', at, headEnd)
    const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1])
    assert.ok(Number.isInteger(status), 'the response is not HTTP')
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

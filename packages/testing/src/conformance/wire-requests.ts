import { transferCompleted } from '../payloads.js'
import { signPayload } from '../sign.js'
import { SECRET } from './webhook-shop.js'

/** A correct body and its signature. */
export const { body: BODY, signature: SIGNATURE } = signPayload(transferCompleted(), SECRET)
export const SIGNED = `X-TonPay-Signature: ${SIGNATURE}`
export const LENGTH = `Content-Length: ${BODY.length}`
// The only type that no body parser reads.
const TYPE = 'Content-Type: text/plain'
export const CHUNKED = 'Transfer-Encoding: chunked'

/** Returns the bytes of requests to the webhook's path. */
export type Write = (path: string) => Uint8Array

type Part = string | Uint8Array
type PartOf = Part | ((path: string) => Part)

/** Returns a POST with these header lines after the host and the type. */
export function post(
  headers: readonly string[],
  body: PartOf = BODY,
  line: (path: string) => string = (path) => `POST ${path} HTTP/1.1`,
): Write {
  return (path) => {
    const head = [line(path), 'Host: x', TYPE, ...headers, '', ''].join('\r\n')
    return join(head, typeof body === 'function' ? body(path) : body)
  }
}

/** Returns a POST of this body with its signature and its length. */
export function withBody(body: Uint8Array): Write {
  return post([signed(body), `Content-Length: ${body.length}`], body)
}

/** Returns a request with a correctly signed one in its body. */
export function carrier(headers: readonly string[], method = 'POST', padding = 0): Write {
  return (path) => {
    const body = ' '.repeat(padding) + signedPost(path)
    const length = `Content-Length: ${body.length}`
    return post([...headers, length], body, () => `${method} ${path} HTTP/1.1`)(path)
  }
}

/** Returns a correct POST. */
export function signedPost(path: string): string {
  return text(post([SIGNED, LENGTH])(path))
}

/** Returns the signature header of a body. */
export function signed(body: Uint8Array): string {
  return `X-TonPay-Signature: ${signPayload(body, SECRET).signature}`
}

/** Returns one chunk, the last chunk and the trailers. */
export function chunk(body: Part, ...trailers: readonly string[]): string {
  const end = ['0', ...trailers, '', ''].join('\r\n')
  return `${body.length.toString(16)}\r\n${text(bytes(body))}\r\n${end}`
}

/** Joins the bytes of parts; strings are encoded as Latin-1. */
export function join(...parts: readonly Part[]): Uint8Array {
  return Buffer.concat(parts.map(bytes))
}

/** Encodes a string as Latin-1. */
export function bytes(part: Part): Uint8Array {
  return typeof part === 'string' ? Buffer.from(part, 'latin1') : part
}

/** Decodes Latin-1. */
export function text(part: Uint8Array): string {
  return Buffer.from(part).toString('latin1')
}

import { ConfigurationError } from '../../shared/configuration-error.js'
import { describeType } from '../../shared/describe-type.js'

/** The exact bytes of a body in any type that platforms pass, or the string that is encoded as UTF-8. */
export type RawBytes = ArrayBufferView | ArrayBuffer | string

/**
 * Returns the bytes of a body as a `Uint8Array` with the bounds of the given view, or the string.
 * @throws {ConfigurationError} when the body is neither bytes nor a string.
 */
export function toBytes(rawBody: unknown): Uint8Array | string {
  if (typeof rawBody === 'string') return rawBody
  const bytes = bytesOf(rawBody)
  if (bytes !== undefined) return bytes
  const problem = `must be the exact bytes or string of the body; received ${describeType(rawBody)}. For an unread Node request, pass readNodeBody(request)`
  throw new ConfigurationError({ option: 'rawBody', problem })
}

/**
 * Returns the bytes within the bounds of a view or a buffer; `undefined` for anything else.
 * @throws {ConfigurationError} for a detached buffer, which would otherwise count as an empty body.
 */
export function bytesOf(value: unknown): Uint8Array | undefined {
  if (value instanceof Uint8Array && value.byteLength > 0) return value
  if (ArrayBuffer.isView(value)) {
    const all = bytesOfBuffer(value.buffer)
    return all.subarray(value.byteOffset, value.byteOffset + value.byteLength)
  }
  return isArrayBuffer(value) ? bytesOfBuffer(value) : undefined
}

function bytesOfBuffer(buffer: ArrayBufferLike): Uint8Array {
  try {
    return new Uint8Array(buffer)
  } catch (cause) {
    const problem =
      'was detached: its ArrayBuffer was transferred, for example by postMessage(), and has no bytes. Transfer a copy of it'
    throw new ConfigurationError({ option: 'rawBody', problem, cause })
  }
}

/** Not by `instanceof`: test frameworks have an `ArrayBuffer` class of their own. */
function isArrayBuffer(value: unknown): value is ArrayBuffer {
  return Object.prototype.toString.call(value) === '[object ArrayBuffer]'
}

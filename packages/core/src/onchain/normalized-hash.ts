import { CellError, type Cell } from '../cells/cell.js'
import { readCell, type CellReader } from '../cells/cell-reader.js'
import { writeCell } from '../cells/cell-writer.js'
import { decodeBoc } from '../cells/decode-boc.js'
import { hashCell } from '../cells/hash-cell.js'
import { InvalidParamsError } from '../errors/params.js'
import { encodeBase64 } from '../schema/base64.js'
import { bocParam, type BocLike } from '../schema/params.js'

/**
 * The normalised hash of an external message, in base64: v3 finds the message's trace by it, whatever the sender wrote
 * in the parts of the message that nodes may change. It is `hash_norm` and `message_hash_norm` of the API's answers,
 * and needs no request. Source: TEP-467.
 * @throws {InvalidParamsError} when the bag of cells holds no message from outside.
 * @example
 * ```ts
 * import { normalizedHash } from '@tonplug/core'
 *
 * declare const boc: string
 *
 * console.log(await normalizedHash(boc))
 * ```
 */
export async function normalizedHash(boc: BocLike): Promise<string> {
  try {
    return encodeBase64(await hashCell(normalize(decodeBoc(checkBoc(boc)))))
  } catch (error) {
    throw asWrongMessage(error)
  }
}

/** The account that an external message is for, in raw form. @throws {InvalidParamsError} as {@link normalizedHash} does. */
export function receiverOf(boc: BocLike): string {
  try {
    const bits = readReceiver(readCell(decodeBoc(checkBoc(boc))))
    const workchain = (Number.parseInt(bits.slice(3, 11), 2) << 24) >> 24
    const id = BigInt(`0b${bits.slice(11)}`)
    return `${workchain}:${id.toString(16).padStart(64, '0')}`
  } catch (error) {
    throw asWrongMessage(error)
  }
}

function asWrongMessage(error: unknown): unknown {
  if (!(error instanceof CellError)) return error
  return wrongMessage(`holds no external message: ${error.message}`)
}

/** The bag of cells in base64. @throws {InvalidParamsError} when it is none. */
export function checkBoc(boc: BocLike): string {
  const text = bocParam.read(boc, () => undefined)
  if (text === undefined) throw wrongMessage(`must be ${bocParam.expected}`)
  return text
}

function wrongMessage(problem: string): InvalidParamsError {
  return new InvalidParamsError({ endpoint: 'message', issues: [{ path: 'boc', problem }] })
}

/** The bits of the account that the message is for. */
function readReceiver(reader: CellReader): string {
  if (reader.uint(2) !== 2n) throw new CellError('it is not one from outside')
  skipExternalAddress(reader)
  return readDestination(reader)
}

/** No source, no import fee and no state; the body as a reference. */
function normalize(message: Cell): Cell {
  const reader = readCell(message)
  if (message.isExotic) throw new CellError('it is not one from outside')
  const destination = readReceiver(reader)
  reader.coins()
  if (reader.bit()) skipState(reader)
  const body = reader.bit() ? reader.ref() : reader.rest()
  return writeCell(`1000${destination}000001`, [body])
}

function skipExternalAddress(reader: CellReader): void {
  const kind = reader.uint(2)
  if (kind > 1n) throw new CellError('its source is not outside')
  if (kind === 1n) reader.uint(Number(reader.uint(9)))
}

/** The bits of the address, as they are. */
function readDestination(reader: CellReader): string {
  const kind = readBits(reader, 2)
  if (kind !== '10') throw new CellError('its destination has no standard form')
  if (reader.bit()) throw new CellError('its destination has an anycast prefix')
  return `${kind}0${readBits(reader, 8 + 256)}`
}

function readBits(reader: CellReader, bits: number): string {
  return reader.uint(bits).toString(2).padStart(bits, '0')
}

/** The initial state of the contract, as a reference or in the message itself. */
function skipState(reader: CellReader): void {
  if (reader.bit()) {
    reader.ref()
    return
  }
  if (reader.bit()) reader.uint(5)
  if (reader.bit()) reader.uint(2)
  // Code, data and libraries.
  for (let part = 0; part < 3; part++) if (reader.bit()) reader.ref()
}

import { CellError, writeCell, type Cell } from '../../shared/cells/cell.js'
import { readCell, type CellReader } from '../../shared/cells/cell-reader.js'
import { hashCell } from './cells/hash-cell.js'
import { decodeBoc } from './cells/decode-boc.js'
import { InvalidParamsError } from '../errors/api.js'
import { encodeBase64 } from '../../shared/base64.js'
import { bocParam, type BocLike } from '../schema/params.js'

/**
 * Returns the normalized hash of an external message, in base64. API v3 finds the message's trace by it, since it does not
 * depend on the parts of the message that nodes may change. It equals `hash_norm` and `message_hash_norm` of the API.
 * Makes no request. Source: TEP-467.
 * @throws {InvalidParamsError} if the bag of cells is not an external message.
 * @example
 * ```ts
 * import { normalizedHash } from '@tonplug/core/toncenter'
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
    throw asInvalidBoc(error)
  }
}

/** Returns the raw address of an external message's receiver. @throws {InvalidParamsError} like {@link normalizedHash}. */
export function receiverOf(boc: BocLike): string {
  try {
    const bits = readReceiver(readCell(decodeBoc(checkBoc(boc))))
    const workchain = (Number.parseInt(bits.slice(3, 11), 2) << 24) >> 24
    const id = BigInt(`0b${bits.slice(11)}`)
    return `${workchain}:${id.toString(16).padStart(64, '0')}`
  } catch (error) {
    throw asInvalidBoc(error)
  }
}

function asInvalidBoc(error: unknown): unknown {
  if (!(error instanceof CellError)) return error
  return invalidMessage('boc', `must be an external message: ${error.message}`)
}

/** Returns the bag of cells in base64. @throws {InvalidParamsError} for an invalid one. */
export function checkBoc(boc: BocLike): string {
  const text = bocParam.read(boc, () => undefined)
  if (text === undefined) throw invalidMessage('boc', `must be ${bocParam.expected}`)
  return text
}

export function invalidMessage(path: string, problem: string): InvalidParamsError {
  return new InvalidParamsError({ endpoint: 'message', issues: [{ path, problem }] })
}

function readReceiver(reader: CellReader<Cell>): string {
  if (reader.uint(2) !== 2) throw new CellError('expected an external message')
  skipExternalAddress(reader)
  return readDestination(reader)
}

/** Removes the source, the import fee and the state, and moves the body to a reference. */
function normalize(message: Cell): Cell {
  const reader = readCell(message)
  if (message.kind !== 'ordinary') throw new CellError('expected an external message')
  const destination = readReceiver(reader)
  reader.coins()
  reader.skipInit()
  const body = reader.bit() ? reader.ref() : reader.rest()
  return writeCell(`1000${destination}000001`, [body])
}

function skipExternalAddress(reader: CellReader<Cell>): void {
  const kind = reader.uint(2)
  if (kind > 1) throw new CellError('expected an external source')
  if (kind === 1) reader.skip(reader.uint(9))
}

/** Reads the bits of the address unchanged. */
function readDestination(reader: CellReader<Cell>): string {
  const kind = reader.bits(2)
  if (kind !== '10') throw new CellError('expected a standard destination address')
  if (reader.bit()) throw new CellError('the destination has an anycast prefix')
  return `${kind}0${reader.bits(8 + 256)}`
}

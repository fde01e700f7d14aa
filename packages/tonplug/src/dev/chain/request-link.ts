import { readFields, readText, type JsonFields } from '../json-fields.js'
import { PageRequestError } from '../page-request-error.js'

const COMMENT = 0
const JETTON_TRANSFER = 0x0f8a7ea5

const NOT_ONE = 'The request must have one item, or one message.'
const JETTON_MESSAGE =
  'The message is for one jetton wallet. Open the request with items: invoice.tonConnect() without a sender.'

/**
 * Returns the link for the payment of a TON Connect request: the argument of `sendTransaction`, or `tonConnect` in the JSON of
 * an invoice.
 * @throws {PageRequestError} when it is not a request with one item, or with one message in coins.
 */
export function linkOfRequest(json: string): string {
  const request = readFields(json)
  const { validUntil, items, messages } = request
  const transfers: unknown = items ?? messages
  const [transfer, ...more] = Array.isArray(transfers) ? (transfers as unknown[]) : []
  if (typeof transfer !== 'object' || transfer === null || more.length > 0) {
    throw new PageRequestError(400, NOT_ONE)
  }
  const fields: JsonFields = { ...transfer }
  const isJetton = fields['type'] === 'jetton'
  const body = fields[isJetton ? 'forwardPayload' : 'payload']
  const values = {
    amount: readText(fields, 'amount'),
    jetton: isJetton ? readText(fields, 'master') : undefined,
    ...bodyFields(typeof body === 'string' ? body : undefined),
    exp: typeof validUntil === 'number' ? `${validUntil}` : undefined,
  }
  const pairs = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  )
  const recipient = readText(fields, isJetton ? 'destination' : 'address')
  return `ton://transfer/${recipient}?${pairs.join('&')}`
}

/** Returns the comment of a body, or a body of another kind. @param boc a bag of cells in base64 */
function bodyFields(boc: string | undefined): { text?: string; bin?: string } {
  if (boc === undefined) return {}
  const { opcode, rest, isWhole } = readRoot(Buffer.from(boc, 'base64'))
  if (opcode === JETTON_TRANSFER) throw new PageRequestError(400, JETTON_MESSAGE)
  return opcode === COMMENT && isWhole ? { text: rest.toString() } : { bin: boc }
}

/** Reads the first cell of a bag of cells, which is its root. Source: `boc.tlb` of TON, `serialized_boc`. */
function readRoot(boc: Buffer): { opcode: number | undefined; rest: Buffer; isWhole: boolean } {
  const [flags = 0, offsetBytes = 0] = boc.subarray(4)
  const hasIndex = (flags & 0x80) > 0
  const sizeBytes = Math.min(4, Math.max(1, flags & 7))
  const cells = boc.length < 6 + sizeBytes ? 0 : boc.readUIntBE(6, sizeBytes)
  const start = 6 + 4 * sizeBytes + offsetBytes + (hasIndex ? cells * offsetBytes : 0)
  const [references = 0, halfBytes = 0] = boc.subarray(start)
  const data = boc.subarray(start + 2, start + 2 + (halfBytes >> 1))
  return {
    opcode: data.length < 4 ? undefined : data.readUInt32BE(0),
    rest: data.subarray(4),
    isWhole: references === 0 && halfBytes % 2 === 0,
  }
}

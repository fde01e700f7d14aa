import { defaultParam, optionalParam, paramWord, readItems, type Param } from '../schema/param.js'
import { decodeHex } from '../schema/base64.js'
import {
  addressParam,
  bocParam,
  intParam,
  toBigint,
  type AddressLike,
  type BocLike,
} from '../schema/params.js'

// More words of the vocabulary for parameters, with the spellings of API v3. Source: API facts, part 2.1.

const OPCODE = /^0x[0-9a-fA-F]{1,8}$/
// No bag of cells in base64 begins with these.
const BOC_HEX = /^(?:b5ee9c72|68ff65f3|acc3a728)(?:[0-9a-f]{2})*$/i
const SHARD = /^(?:0x)?([0-9a-fA-F]{1,16})$/
const INT32_MIN = -(2 ** 31)
const UINT32_MAX = 2 ** 32 - 1
const INT64_MIN = -(2n ** 63n)
const UINT64_MAX = 2n ** 64n - 1n
const MAX_ITEMS = 1000

/** The first 32 bits of a body: a number, signed or not, or hex with `0x`. */
export type OpcodeLike = number | string

/** The first 32 bits of a body. Goes as eight hex digits with `0x`: without it the server takes decimal digits for hex. */
export const opcodeParam = paramWord<string, OpcodeLike>(
  'an opcode: a number of 32 bits, or hex with 0x',
  (value) => {
    const isHex = typeof value === 'string' && OPCODE.test(value)
    const opcode = isHex ? Number(value) : value
    if (typeof opcode !== 'number' || !Number.isInteger(opcode)) return undefined
    if (opcode < INT32_MIN || opcode > UINT32_MAX) return undefined
    return `0x${(opcode >>> 0).toString(16).padStart(8, '0')}`
  },
)

/**
 * A shard. A text of up to 16 hex digits is hex, as in the answers of v3; a longer one, or one with a minus, is decimal,
 * as in those of v2. Goes as 16 hex digits.
 */
export const shardHexParam = paramWord<string, bigint | string>(
  'a shard: 16 hex digits, a signed 64-bit integer in decimal digits, or a bigint',
  (value) => {
    const hex = typeof value === 'string' ? SHARD.exec(value)?.[1] : undefined
    const shard = hex === undefined ? toBigint(value) : BigInt(`0x${hex}`)
    if (shard === undefined || shard < INT64_MIN || shard > UINT64_MAX) return undefined
    return BigInt.asUintN(64, shard).toString(16).padStart(16, '0').toUpperCase()
  },
)

/** The body of a message: a bag of cells, in hex as well. */
export const bodyParam = paramWord<string, BocLike>(
  'a bag of cells: base64, base64url, hex, bytes, or a Cell',
  (value) => {
    const isHex = typeof value === 'string' && BOC_HEX.test(value)
    return bocParam.read(isHex ? decodeHex(value) : value, () => undefined)
  },
)

/** An account, or the text `null` for none. */
export const addressOrNullParam = paramWord<string, AddressLike>(
  "an address, or the text 'null' for none",
  (value) => (value === 'null' ? value : addressParam.read(value, () => undefined)),
)

/** The seqno of a block. */
export const blockSeqnoParam = intParam(0)

/** By time, or by lt: the oldest first, or the newest. */
export const sortParam = enumParam('asc', 'desc')

/** Where a message or a transfer goes, seen from the account. */
export const directionParam = enumParam('in', 'out')

/** One value or several; the name is repeated for each. An empty list is refused: the server would not filter at all. */
export function manyParam<Output, Input>(
  item: Param<Output, Input>,
): Param<Output[], Input | readonly Input[]> {
  return {
    expected: `one or several, each ${item.expected}`,
    list: { item, takesOne: true },
    read(value, refuse) {
      // No value of a parameter is a list itself.
      const values: readonly Input[] = Array.isArray(value) ? value : [value as Input]
      const isMany = values.length >= 1 && values.length <= MAX_ITEMS
      if (!isMany) return refuse({ path: [], expected: `from 1 to ${MAX_ITEMS} of them` })
      if (Array.isArray(value)) return readItems(values, item, refuse)
      const output = item.read(values[0] as Input, refuse)
      return output === undefined ? undefined : [output]
    },
  }
}

/** How many rows at most; always sent, since a server of one's own has another default than the public ones. */
export function limitParam(whenLeftOut = 10, most = 1000) {
  return defaultParam(intParam(1, most), whenLeftOut)
}

/** How many rows to skip. */
export const offsetParam = optionalParam(intParam(0))

/** One of a few texts. */
function enumParam<const Known extends string>(...known: readonly Known[]): Param<Known, Known> {
  const word = paramWord<Known, Known>(`one of ${known.join(', ')}`, (value) =>
    known.includes(value) ? value : undefined,
  )
  return { ...word, known }
}

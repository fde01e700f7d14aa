import { decodeHex } from '../../shared/base64.js'
import { isObject } from '../../shared/is-object.js'
import {
  createParam,
  defaultParam,
  enumParam,
  isOptional,
  optionalParam,
  readItems,
  type Param,
} from '../schema/param.js'
import {
  addressParam,
  bocParam,
  intParam,
  ltParam,
  timeParam,
  toBigint,
  type AddressLike,
  type BigintLike,
  type BocLike,
} from '../schema/params.js'
import type { OptionShape } from '../schema/options.js'
import type { WireParams } from '../schema/params-object.js'
import type { Action } from './schemas/action.js'

// Parameters in the formats of API v3. Source: API facts, part 2.1.

const OPCODE = /^0x[0-9a-fA-F]{1,8}$/
// No bag of cells in base64 begins with these.
const BOC_HEX = /^(?:b5ee9c72|68ff65f3|acc3a728)(?:[0-9a-f]{2})*$/i
const SHARD = /^(?:0x)?([0-9a-fA-F]{1,16})$/
const ACTION_TYPE = /^[A-Za-z0-9_.]+$/
const DIGITS = /^\d{1,78}$/
const INT32_MIN = -(2 ** 31)
const UINT32_MAX = 2 ** 32 - 1
const INT64_MIN = -(2n ** 63n)
const UINT64_MAX = 2n ** 64n - 1n
const UINT256_MAX = 2n ** 256n - 1n
const MAX_ITEMS = 1000
const MAX_TON_CONNECT_MESSAGES = 4

/** The first 32 bits of a body: a number, signed or not, or hex with `0x`. */
export type OpcodeLike = number | string

/** The type of an action. Servers know more types than these, and shortcuts for several of them. */
export type ActionType = Exclude<Action['type'], 'unreadable'> | (string & {})

/** The first 32 bits of a body. Sent as eight hex digits with `0x`: without it the server reads decimal digits as hex. */
export const opcodeParam = createParam<string, OpcodeLike>(
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
 * A shard. A string of up to 16 hex digits is hex, as in responses of API v3; a longer one, or one with a minus, is decimal,
 * as in API v2. Sent as 16 hex digits.
 */
export const shardHexParam = createParam<string, bigint | string>(
  'a shard: 16 hex digits, a signed 64-bit integer in decimal digits, or a bigint',
  (value) => {
    const hex = typeof value === 'string' ? SHARD.exec(value)?.[1] : undefined
    const shard = hex === undefined ? toBigint(value) : BigInt(`0x${hex}`)
    if (shard === undefined || shard < INT64_MIN || shard > UINT64_MAX) return undefined
    return BigInt.asUintN(64, shard).toString(16).padStart(16, '0').toUpperCase()
  },
)

export const bodyParam = createParam<string, BocLike>(
  'a bag of cells: base64, base64url, hex, bytes, or a Cell',
  (value) => {
    const isHex = typeof value === 'string' && BOC_HEX.test(value)
    return bocParam.read(isHex ? decodeHex(value) : value, () => undefined)
  },
)

/** An account, or the string `null` for no account. */
export const addressOrNullParam = createParam<string, AddressLike>(
  "an address, or the string 'null' for none",
  (value) => (value === 'null' ? value : addressParam.read(value, () => undefined)),
)

export const actionTypeParam = createParam<string, ActionType>(
  'a type of actions, for example jetton_transfer',
  (value) => (typeof value === 'string' && ACTION_TYPE.test(value) ? value : undefined),
)

/** The index of an NFT in its collection. That of a domain is a 256-bit hash. */
export const nftIndexParam = createParam<string, BigintLike>(
  'an integer from 0 to 2^256-1',
  (value) => {
    const isExact = typeof value === 'bigint' || Number.isSafeInteger(value)
    const digits = isExact || typeof value === 'string' ? String(value) : ''
    return DIGITS.test(digits) && BigInt(digits) <= UINT256_MAX ? digits : undefined
  },
)

export const blockSeqnoParam = intParam(0)

/** The order by time or lt: oldest first or newest first. */
export const sortParam = enumParam('asc', 'desc')

/** The direction of a message or a transfer, from the account's point of view. */
export const directionParam = enumParam('in', 'out')

/** One value or several; the name is repeated for each. An empty list is refused: the server would ignore the filter. */
export function manyParam<Output, Input>(
  item: Param<Output, Input>,
  most = MAX_ITEMS,
): Param<Output[], Input | readonly Input[]> {
  return {
    expected: `one or several, each ${item.expected}`,
    list: { item, takesOne: true },
    read(value, refuse) {
      // No value of a parameter is itself a list.
      const values: readonly Input[] = Array.isArray(value) ? value : [value as Input]
      const isMany = values.length >= 1 && values.length <= most
      if (!isMany) return refuse({ path: [], expected: `from 1 to ${most} of them` })
      if (Array.isArray(value)) return readItems(values, item, refuse)
      const output = item.read(values[0] as Input, refuse)
      return output === undefined ? undefined : [output]
    },
  }
}

/** One account or several, or none for all. */
export const addressesParam = optionalParam(manyParam(addressParam))

/** The maximum number of rows. Always sent, since self-hosted servers may have another default than the public ones. */
export function limitParam(whenLeftOut = 10, most = 1000) {
  return defaultParam(intParam(1, most), whenLeftOut)
}

export const offsetParam = optionalParam(intParam(0))

/** Bounds of time and lt, both inclusive. */
export const inTime = {
  /** Start time. */
  start_utime: optionalParam(timeParam),
  /** End time. */
  end_utime: optionalParam(timeParam),
  /** Start lt. */
  start_lt: optionalParam(ltParam()),
  /** End lt. */
  end_lt: optionalParam(ltParam()),
}

/** A page of a list. */
export const page = {
  /** Maximum number of rows. @default 10 */
  limit: limitParam(),
  /** Number of rows to skip. New rows shift a growing list: bound it with `end_lt` or `end_utime`. @default 0 */
  offset: offsetParam,
}

/** A page of a sortable list. */
export const sorted = {
  ...page,
  /** Oldest first (`asc`) or newest first. @default 'desc' */
  sort: optionalParam(sortParam),
}

const nanocoinsParam = createParam<string, BigintLike>(
  'nanocoins: an integer from 0 to 2^64-1',
  (value) => {
    const amount = toBigint(value)
    return amount !== undefined && amount >= 0n && amount <= UINT64_MAX ? `${amount}` : undefined
  },
)

/** An object with these fields. Others are refused: the server would ignore them. */
function objectOf<Input extends object>(shape: OptionShape<Input>): Param<WireParams, Input> {
  const expected = `an object with ${Object.keys(shape).join(', ')}`
  return {
    expected,
    read(value: unknown, refuse) {
      if (!isObject(value)) return refuse({ path: [], expected })
      const given = Object.entries(value).filter(([, one]) => one !== undefined)
      const [extra] = given.find(([name]) => !Object.hasOwn(shape, name)) ?? []
      if (extra !== undefined) return refuse({ path: [extra], expected: `left out of ${expected}` })
      const wanted = Object.entries<Param>(shape).filter(
        ([name, param]) => value[name] !== undefined || !isOptional(param),
      )
      const wire = wanted.map(([name, param]) => [
        name,
        // Each parameter checks the value that it receives.
        param.read(value[name] as never, (issue) =>
          refuse({ ...issue, path: [name, ...issue.path] }),
        ),
      ])
      return Object.fromEntries(wire) as WireParams
    },
  }
}

/** A message of a TON Connect request. The format of `address` decides if it bounces; `amount` is in nanocoins. */
export interface TonConnectMessage {
  address: AddressLike
  amount: BigintLike
  payload?: BocLike | undefined
  stateInit?: BocLike | undefined
}

/** The messages of a TON Connect request. */
export const tonConnectMessagesParam = manyParam(
  objectOf<TonConnectMessage>({
    address: addressParam,
    amount: nanocoinsParam,
    payload: optionalParam(bocParam),
    stateInit: optionalParam(bocParam),
  }),
  MAX_TON_CONNECT_MESSAGES,
)

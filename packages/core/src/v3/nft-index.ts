import type { BigintLike } from '../schema/params.js'
import { paramWord } from '../schema/param.js'

const DIGITS = /^\d{1,78}$/
const MAX_INDEX = 2n ** 256n - 1n

/** The index of an NFT in its collection: for domains it is a hash, as large as they come. */
export const nftIndexParam = paramWord<string, BigintLike>(
  'an integer from 0 to 2^256-1',
  (value) => {
    const isExact = typeof value === 'bigint' || Number.isSafeInteger(value)
    const digits = isExact || typeof value === 'string' ? String(value) : ''
    return DIGITS.test(digits) && BigInt(digits) <= MAX_INDEX ? digits : undefined
  },
)

import { z } from 'zod'
import type { OrderKey } from '../orders/order.js'
import { isMerchant, isReference, MERCHANT_RULE, REFERENCE_RULE } from '../orders/order-key.js'
import { parseOptions } from '../../shared/options.js'
import { lazy } from '../../shared/lazy.js'

const ORDER_KEY = lazy(() => z.object({ reference: z.string(), merchant: z.string().optional() }))

/** @throws {ConfigurationError} when the reference or the merchant is not a string. */
export function fullKey(key: string | OrderKey): { reference: string; merchant: string } {
  const given = typeof key === 'string' ? { reference: key } : key
  const { reference, merchant = '' } = parseOptions(ORDER_KEY(), given, { path: 'key' })
  return { reference, merchant }
}

const CHECKED_KEY = lazy(() =>
  z.object({
    reference: z.string().refine(isReference, REFERENCE_RULE),
    merchant: z.string().refine(isMerchant, MERCHANT_RULE),
  }),
)

/** @throws {ConfigurationError} for a key that no order can have. */
export function checkedKey(key: string | OrderKey): { reference: string; merchant: string } {
  return parseOptions(CHECKED_KEY(), fullKey(key), { path: 'key' })
}

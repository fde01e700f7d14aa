import { ConfigurationError } from '../../shared/configuration-error.js'
import { describeType } from '../../shared/describe-type.js'
import { isObject } from '../../shared/is-object.js'
import { parseOptions } from '../../shared/options.js'
import { parseBaseUnits } from '../../shared/units.js'
import { withJson } from '../../shared/with-json.js'
import { ORDER } from './checked-repository.js'
import type { Offer } from './offer.js'
import type { Order } from './order.js'

export type Json = Record<string, unknown>

/**
 * Returns an order as JSON values, with amounts as decimal strings and dates in ISO 8601: for `JSON.stringify`, also after a
 * spread, which loses `toJSON`.
 */
export function orderToJson(order: Order): Json {
  return JSON.parse(JSON.stringify(withJson({ ...order }))) as Json
}

/**
 * Reads an order that {@link orderToJson} or `JSON.stringify` has written. Fields of the shop are kept as they are.
 * @param json the parsed JSON
 * @throws {ConfigurationError} when it is not an order. An amount that is a JSON number may have lost digits.
 * @example
 * ```ts
 * import { memoryOrderRepository, orderFromJson, orderToJson } from '@tonplug/core'
 *
 * const order = { reference: 'order-1', rawAmount: 10_500_000_000n, asset: 'TON', status: 'pending' } as const
 * const text = JSON.stringify(orderToJson(order))
 * memoryOrderRepository([orderFromJson(JSON.parse(text))])
 * ```
 */
export function orderFromJson(json: unknown): Order {
  const fields = objectAt('order', json)
  const { offers, payment } = fields
  const order = {
    ...fields,
    ...read('order', fields, { rawAmount: amountAt, createdAt: dateAt, expiresAt: dateAt }),
    ...(isPresent(offers) && { offers: offersFromJson(offers) }),
    ...(isPresent(payment) && { payment: paymentFromJson(payment) }),
  }
  parseOptions(ORDER(), order, { path: 'order' })
  return withJson(order as unknown as Order)
}

/**
 * Reads offers that `JSON.stringify(order.offers)` has written.
 * @param json the parsed JSON
 * @throws {ConfigurationError} when it is not a list of offers with amounts as decimal strings.
 */
export function offersFromJson(json: unknown): Offer[] {
  if (!Array.isArray(json)) throw invalid('offers', 'a list of offers', json)
  return json.map((item: unknown, index) => offerFromJson(`offers[${index}]`, item))
}

function offerFromJson(path: string, json: unknown): Offer {
  const fields = objectAt(path, json)
  const { rate } = fields
  const offer = {
    ...fields,
    rawAmount: amountAt(`${path}.rawAmount`, fields['rawAmount']),
    ...read(path, fields, { expiresAt: dateAt }),
    ...(isPresent(rate) && { rate: rateFromJson(`${path}.rate`, rate) }),
  }
  return withJson(offer as unknown as Offer)
}

function rateFromJson(path: string, json: unknown): Json {
  const fields = objectAt(path, json)
  return { ...fields, at: dateAt(`${path}.at`, fields['at']) }
}

function paymentFromJson(json: unknown): Json {
  const fields = objectAt('payment', json)
  return withJson({ ...fields, rawAmount: amountAt('payment.rawAmount', fields['rawAmount']) })
}

/** Reads optional fields. */
function read(
  path: string,
  fields: Json,
  readers: Record<string, (path: string, json: unknown) => unknown>,
): Json {
  const present = Object.entries(readers).filter(([name]) => isPresent(fields[name]))
  return Object.fromEntries(
    present.map(([name, readAt]) => [name, readAt(`${path}.${name}`, fields[name])]),
  )
}

function isPresent(json: unknown): boolean {
  return json !== undefined && json !== null
}

function objectAt(path: string, json: unknown): Json {
  if (!isObject(json)) throw invalid(path, 'an object', json)
  return json
}

function amountAt(path: string, json: unknown): bigint {
  const amount = typeof json === 'string' ? parseBaseUnits(json) : undefined
  if (amount === undefined) throw invalid(path, 'base units as a string of decimal digits', json)
  return amount
}

function dateAt(path: string, json: unknown): Date {
  const date = typeof json === 'string' ? new Date(json) : undefined
  if (date === undefined || Number.isNaN(date.getTime())) throw invalid(path, 'an ISO date', json)
  return date
}

function invalid(option: string, expected: string, received: unknown): ConfigurationError {
  const problem = `must be ${expected}; received ${describeType(received)}`
  return new ConfigurationError({ option, problem })
}

import { isObject } from '../../shared/is-object.js'
import { hintForName } from '../../shared/nearest-name.js'
import type { Endpoint } from '../endpoint/endpoint.js'
import { invalidOption } from '../paging/errors.js'
import { checkParams, type WireParams } from '../schema/params-object.js'

const NO_EXTERNALS =
  'external messages have no time; watch the transactions of their receiver instead'
const OWN_CHOICE = 'a watch chooses its pages and their order'
const OWN_BOUNDS = 'a watch starts at its option from and continues with new rows'
const ONE_ROW = 'there would be no new rows; call the endpoint'

/** Parameters that would select rows other than new ones, or another order. */
const REFUSED = {
  limit: 'use the option pageSize',
  offset: OWN_CHOICE,
  sort: OWN_CHOICE,
  start_lt: OWN_BOUNDS,
  end_lt: OWN_BOUNDS,
  start_utime: OWN_BOUNDS,
  end_utime: OWN_BOUNDS,
  mc_seqno: ONE_ROW,
  seqno: ONE_ROW,
  hash: ONE_ROW,
  lt: ONE_ROW,
  action_id: ONE_ROW,
  trace_id: ONE_ROW,
  only_externals: NO_EXTERNALS,
}

export type RefusedParameter =
  | 'limit'
  | 'offset'
  | 'sort'
  | 'start_lt'
  | 'end_lt'
  | 'start_utime'
  | 'end_utime'
  | 'mc_seqno'
  | 'seqno'
  | 'hash'
  | 'lt'
  | 'action_id'
  | 'trace_id'
  | 'only_externals'

function isRefused(name: string): name is RefusedParameter {
  return Object.hasOwn(REFUSED, name)
}

/**
 * Checks the parameters of a watch of rows.
 * @throws {InvalidParamsError} for a parameter that a watch does not have, with the reason or the nearest name, and for an
 *   invalid value.
 */
export function checkWatchParams({ name, params: schema }: Endpoint, given: unknown): WireParams {
  const known = Object.keys(schema.shape).filter((one) => !isRefused(one))
  if (!isObject(given)) throw invalidOption(name, '', 'the parameters must be an object')
  for (const one of Object.keys(given)) {
    if (known.includes(one) || one.startsWith('@') || given[one] === undefined) continue
    const reason = isRefused(one) ? REFUSED[one] : hintForName(one, known)
    throw invalidOption(name, one, `is not a parameter of a watch; ${reason}`)
  }
  const isKnown = ([one]: [string, unknown]): boolean => known.includes(one)
  const wire = checkParams(name, schema, Object.fromEntries(Object.entries(given).filter(isKnown)))
  if (wire['source'] === 'null') {
    throw invalidOption(name, 'source', `cannot be 'null'; ${NO_EXTERNALS}`)
  }
  // Parameters that a watch does not have may have a default.
  return Object.fromEntries(Object.entries(wire).filter(isKnown))
}

/** Returns the accounts whose transactions may add rows. */
export function accountsOf(params: WireParams): string[] {
  const names = ['account', 'owner_address', 'address', 'jetton_wallet']
  return names.flatMap((name) => {
    const value = params[name]
    const list: unknown[] = Array.isArray(value) ? value : [value]
    return list.filter((one) => typeof one === 'string')
  })
}

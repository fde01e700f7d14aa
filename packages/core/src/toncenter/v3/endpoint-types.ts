import type { V3EndpointTypes } from './generated/types.js'

/** The name of an endpoint of API v3. */
export type V3EndpointName = keyof V3EndpointTypes

/** The parameters of a method, for example `V3Parameters<'jettonTransfers'>`. */
export type V3Parameters<Name extends V3EndpointName> = V3EndpointTypes[Name]['parameters']

/** The result of a method, for example `V3Result<'jettonTransfers'>`. */
export type V3Result<Name extends V3EndpointName> = V3EndpointTypes[Name]['result']

/** A row of an endpoint whose result is a list or has one, for example `V3Transaction` for `transactions`. */
export type V3Row<Name extends V3EndpointName> = Extract<
  V3Result<Name> extends readonly unknown[] ? V3Result<Name> : V3Result<Name>[keyof V3Result<Name>],
  readonly unknown[]
>[number]

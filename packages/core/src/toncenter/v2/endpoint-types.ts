import type { V2EndpointTypes } from './generated/types.js'

/** The name of an endpoint of API v2. */
export type V2EndpointName = keyof V2EndpointTypes

/** The parameters of a method, for example `V2Parameters<'getTransactions'>`. */
export type V2Parameters<Name extends V2EndpointName> = V2EndpointTypes[Name]['parameters']

/** The result of a method, for example `V2Result<'getTransactions'>`. */
export type V2Result<Name extends V2EndpointName> = V2EndpointTypes[Name]['result']

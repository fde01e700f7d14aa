import { nominatorPools } from './nominator-pools.js'
import { validators } from './validators.js'

// An intersection keeps the names of its parts in declarations.
export type ValidatorsEndpoints = typeof nominatorPools & typeof validators

/** All endpoints of validators and nominator pools, in the order of the description. */
export const validatorsEndpoints: ValidatorsEndpoints = { ...nominatorPools, ...validators }

/** The name of an endpoint of validators. */
export type ValidatorsEndpointName = keyof ValidatorsEndpoints

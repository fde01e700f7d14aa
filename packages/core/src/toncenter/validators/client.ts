import { createMethods, transportOf, type Method } from '../endpoint/client.js'
import type { ParametersOf, ResultOf } from '../endpoint/endpoint.js'
import { createCall, type V3RequestOptions } from '../v3/call.js'
import type { V3ClientOptions } from '../v3/client.js'
import {
  validatorsEndpoints,
  type ValidatorsEndpointName,
  type ValidatorsEndpoints,
} from './endpoints/table.js'
import { validatorsDecoders } from './generated/decoders.js'

/** The parameters of a method, for example `ValidatorsParameters<'validatorsCycles'>`. */
export type ValidatorsParameters<Name extends ValidatorsEndpointName> = ParametersOf<
  ValidatorsEndpoints[Name]
>

/** The result of a method, for example `ValidatorsResult<'validatorsCycles'>`. */
export type ValidatorsResult<Name extends ValidatorsEndpointName> = ResultOf<
  ValidatorsEndpoints[Name]
>

/**
 * One method for each path of API v3 about validators and nominator pools, named by the path: `/validators/cycles` is
 * `validatorsCycles`. Every method rejects with the errors of the transport and of the API.
 */
export type ValidatorsClient = {
  // `keyof` without its alias, since editors show the docs of endpoints only then.
  readonly [Name in keyof ValidatorsEndpoints]: Method<ValidatorsEndpoints[Name], V3RequestOptions>
}

/**
 * Creates a client of the paths of API v3 about validators and nominator pools. Servers of early 2026 lack them.
 * @param options a shared transport, or the options to create one
 * @throws {ConfigurationError} for an unknown or invalid option.
 * @example
 * ```ts
 * import { createValidatorsClient } from '@tonplug/core/validators'
 *
 * const validators = createValidatorsClient({ network: 'testnet' })
 * const { cycles } = await validators.validatorsCycles({ limit: 1 })
 * console.log(cycles[0]?.total_stake)
 * ```
 */
export function createValidatorsClient(options: V3ClientOptions = {}): ValidatorsClient {
  const call = createCall(transportOf(options), validatorsDecoders)
  // One method for each name of the table.
  return createMethods(validatorsEndpoints, call, {}) as ValidatorsClient
}

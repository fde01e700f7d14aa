export {
  createValidatorsClient,
  type ValidatorsClient,
  type ValidatorsParameters,
  type ValidatorsResult,
} from './toncenter/validators/client.js'
export {
  validatorsEndpoints,
  type ValidatorsEndpointName,
} from './toncenter/validators/endpoints/table.js'

export { toAddress, toAddressOrNull, toRawAddress } from './contract/addresses.js'
export {
  createContracts,
  type ContractInit,
  type Contracts,
  type ContractsOptions,
} from './contract/contracts.js'
export {
  loadTransaction,
  type IndexedTransaction,
  type SerializedTransaction,
} from './contract/load-transaction.js'
export { toStackArguments, toTupleItems, toTupleReader } from './contract/stack.js'
export { ContractDataError, type ContractDataErrorDetails } from './contract/contract-error.js'

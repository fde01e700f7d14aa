export { toAddress, toAddressOrNull, toRawAddress } from './toncenter/contract/addresses.js'
export {
  createContracts,
  type ContractInit,
  type Contracts,
  type ContractsOptions,
} from './toncenter/contract/contracts.js'
export {
  loadTransaction,
  type IndexedTransaction,
  type SerializedTransaction,
} from './toncenter/contract/load-transaction.js'
export { toStackArguments, toTupleItems, toTupleReader } from './toncenter/contract/stack.js'
export {
  ContractDataError,
  type ContractDataErrorDetails,
} from './toncenter/contract/contract-error.js'
export type { TonplugError, TonplugErrorFacts } from './shared/tonplug-error.js'
export type { StackArgument, StackItem } from './toncenter/endpoint/stack.js'
export type { V2Client } from './toncenter/v2/client.js'
export type { V3Client } from './toncenter/v3/client.js'
export type { V3Transaction } from './toncenter/v3/generated/types.js'

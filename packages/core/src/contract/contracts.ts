import {
  openContract,
  type Address,
  type Contract,
  type ContractProvider,
  type OpenedContract,
} from '@ton/core'
import { ConfigurationError } from '../errors/configuration.js'
import { checkOptionNames } from '../transport/option-names.js'
import type { V2Client } from '../v2/client.js'
import type { V3Client } from '../v3/client.js'
import { createProvider, type ContractInit } from './provider.js'
import { v2Source } from './v2-source.js'
import { v3Source } from './v3-source.js'

/** The API that contracts are reached by. */
export type ContractsOptions =
  | {
      /** A node answers, and takes every argument of a get-method. */
      v2: V2Client
      v3?: never
    }
  | {
      /** An index answers; its get-methods take numbers, cells and slices alone. */
      v3: V3Client
      v2?: never
    }

/** Contracts of `@ton/core` over one API. */
export interface Contracts {
  /**
   * Opens a contract: methods of its wrapper that begin with `get`, `is` or `send` then need no provider. Its `init` goes
   * along with messages until the contract is active.
   */
  open<C extends Contract>(contract: C): OpenedContract<C>
  /** A provider for the contract at an address. @param init what it is deployed with. @default null */
  provider(address: Address, init?: ContractInit | null): ContractProvider
}

/**
 * Reaches contracts by wrappers written for `@ton/core`, unchanged: those of `@ton/ton`, those that Blueprint and Tact
 * make, and yours. Calls keep to the client's rate limit, retries and deadline, and reject with its errors; a get-method
 * that fails is a `GetMethodError`, a message that the contract does not accept a `MessageRejectedError`.
 * @throws {ConfigurationError} when there is not exactly one client.
 * @example
 * ```ts
 * import { Address } from '@ton/core'
 * import { JettonMaster } from '@ton/ton'
 * import { createV2Client } from '@tonplug/core'
 * import { createContracts } from '@tonplug/core/contract'
 *
 * const contracts = createContracts({ v2: createV2Client({ network: 'testnet' }) })
 * const address = Address.parse('0:0000000000000000000000000000000000000000000000000000000000000000')
 * const { totalSupply } = await contracts.open(JettonMaster.create(address)).getJettonData()
 * console.log(totalSupply)
 * ```
 */
export function createContracts(options: ContractsOptions): Contracts {
  checkOptionNames(options, ['v2', 'v3'])
  const source = sourceOf(options)
  return {
    open: (contract) =>
      openContract(contract, ({ address, init }) => createProvider(source, address, init)),
    provider: (address, init = null) => createProvider(source, address, init),
  }
}

function sourceOf({ v2, v3 }: ContractsOptions) {
  if (v2 !== undefined && v3 === undefined) return v2Source(v2)
  if (v3 !== undefined && v2 === undefined) return v3Source(v3)
  throw new ConfigurationError({ option: 'v2, v3', problem: 'give one of the two clients' })
}

import { ConfigurationError } from '@tonplug/core'
import type { V2Client, V3Client } from '@tonplug/core/toncenter'

type Client = { v2: V2Client } | { v3: V3Client }

/** The methods without the types of `@ton/core`, which is optional. */
interface ContractMethods {
  open(contract: never): unknown
  provider(address: never, init?: never): unknown
}

type CreateContracts = (client: Client) => ContractMethods

/** Set by the subpath `contract`. */
let create: CreateContracts | undefined

/** Enables contracts on all services, including existing ones. */
export function enableContracts(createContracts: CreateContracts): void {
  create = createContracts
}

/** Returns the contract methods of a service. */
export function contractMethods(client: Client): ContractMethods {
  let contracts: ContractMethods | undefined
  return {
    open: (contract) => (contracts ??= createFor(client)).open(contract),
    provider: (address, init) => (contracts ??= createFor(client)).provider(address, init),
  }
}

function createFor(client: Client): ContractMethods {
  if (create !== undefined) return create(client)
  throw new ConfigurationError({
    option: '@tonplug/nestjs/contract',
    problem:
      "must be imported for open and provider of V2Service and V3Service; install @ton/core and add import '@tonplug/nestjs/contract'",
  })
}

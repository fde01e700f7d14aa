import { ConfigurationError } from '@tonplug/core'
import type { V2Client, V3Client } from '@tonplug/core'

type Client = { v2: V2Client } | { v3: V3Client }

/** The methods as one sees them without the types of `@ton/core`, which is optional. */
interface ContractMethods {
  open(contract: never): unknown
  provider(address: never, init?: never): unknown
}

type CreateContracts = (client: Client) => ContractMethods

/** There once the subpath `contract` is imported. */
let create: CreateContracts | undefined

/** Lets the services open contracts from here on, those too that exist already. */
export function enableContracts(given: CreateContracts): void {
  create = given
}

/** What a service opens contracts with, over its client. */
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
      "is not imported, and open and provider of V2Service and V3Service come with it; install @ton/core and add import '@tonplug/nestjs/contract'",
  })
}

import { ConfigurationError } from '@tonplug/core'
import type { V2Client } from '@tonplug/core'

/** The methods as one sees them without the types of `@ton/core`, which is optional. */
interface ContractMethods {
  open(contract: never): unknown
  provider(address: never, init?: never): unknown
}

type CreateContracts = (client: { v2: V2Client }) => ContractMethods

/** There once the subpath `contract` is imported. */
let create: CreateContracts | undefined

/** Lets requests open contracts from here on. */
export function enableContracts(given: CreateContracts): void {
  create = given
}

/** What a request opens contracts with. @param client is asked for when the first one is opened */
export function contractMethods(client: () => V2Client): ContractMethods {
  let contracts: ContractMethods | undefined
  return {
    open: (contract) => (contracts ??= createFor(client)).open(contract),
    provider: (address, init) => (contracts ??= createFor(client)).provider(address, init),
  }
}

function createFor(client: () => V2Client): ContractMethods {
  if (create !== undefined) return create({ v2: client() })
  throw new ConfigurationError({
    option: '@tonplug/express/contract',
    problem:
      "is not imported, and req.tonplug.open and req.tonplug.provider come with it; install @ton/core and add import '@tonplug/express/contract'",
  })
}

import { ConfigurationError } from '@tonplug/core'
import type { V2Client } from '@tonplug/core/toncenter'

/** The methods without the types of `@ton/core`, which is optional. */
interface ContractMethods {
  open(contract: never): unknown
  provider(address: never, init?: never): unknown
}

type CreateContracts = (client: { v2: V2Client }) => ContractMethods

/** Set by the subpath `contract`. */
let create: CreateContracts | undefined

/** Enables contracts on requests. */
export function enableContracts(createContracts: CreateContracts): void {
  create = createContracts
}

/** Returns the contract methods of a request. @param client is called when the first contract is opened */
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
      "must be imported for req.tonplug.open and req.tonplug.provider; install @ton/core and add import '@tonplug/express/contract'",
  })
}

import type { Address, Contract, ContractProvider, OpenedContract, StateInit } from '@ton/core'
import { TonClient } from '@ton/ton'
import { createV2Client, createV3Client } from '@tonplug/core/toncenter'
import { createContracts } from '@tonplug/core/contract'
import type { ServedChain } from '../chain/served-chain.js'

/** Opens contracts through either API with this library, or through the client of `@ton/ton`. */
export interface Opener {
  open<C extends Contract>(contract: C): OpenedContract<C>
  provider(address: Address, init?: StateInit | null): ContractProvider
}

/** Each way to reach the contracts of a chain, by its name. */
export const openers: Readonly<
  Record<'API v2' | 'jsonRPC' | 'API v3' | 'TonClient', (served: ServedChain) => Opener>
> = {
  'API v2': ({ v2Server }) =>
    createContracts({ v2: createV2Client({ baseUrl: v2Server.url, rps: Infinity }) }),
  jsonRPC: ({ v2Server }) =>
    createContracts({
      v2: createV2Client({ baseUrl: v2Server.url, rps: Infinity, jsonRpc: true }),
    }),
  'API v3': ({ v3Server }) =>
    createContracts({ v3: createV3Client({ baseUrl: v3Server.url, rps: Infinity }) }),
  TonClient: ({ v2Server }) => new TonClient({ endpoint: `${v2Server.url}/api/v2/jsonRPC` }),
}

/** Ours. */
export const ours = ['API v2', 'API v3'] as const

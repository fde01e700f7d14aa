import type { DescribedTypes } from '../../endpoint/endpoint.js'
import { accounts } from './accounts.js'
import { actionsAndTraces } from './actions-and-traces.js'
import { blockchainData } from './blockchain-data.js'
import { dns } from './dns.js'
import { emulation } from './emulation.js'
import { jettons } from './jettons.js'
import { legacy } from './legacy.js'
import { multisig } from './multisig.js'
import { nfts } from './nfts.js'
import { nominatorPools } from './nominator-pools.js'
import { stats } from './stats.js'
import { utils } from './utils.js'
import { validators } from './validators.js'
import { vesting } from './vesting.js'

/** The table of API v3. */
// An intersection keeps the names of its parts in declarations.
export type V3Endpoints = typeof accounts &
  typeof actionsAndTraces &
  typeof blockchainData &
  typeof jettons &
  typeof nfts &
  typeof dns &
  typeof multisig &
  typeof vesting &
  typeof stats &
  typeof utils &
  typeof legacy &
  typeof emulation &
  typeof nominatorPools &
  typeof validators

/** All endpoints of API v3, in the order of its description. */
export const v3Endpoints: V3Endpoints = {
  ...accounts,
  ...actionsAndTraces,
  ...blockchainData,
  ...jettons,
  ...nfts,
  ...dns,
  ...multisig,
  ...vesting,
  ...stats,
  ...utils,
  ...legacy,
  ...emulation,
  ...nominatorPools,
  ...validators,
}

/** The types of the endpoints, from which the build writes `generated/types.ts`. */
export type V3DescribedTypes = DescribedTypes<V3Endpoints>

import type { DescribedTypes } from '../../endpoint/endpoint.js'
import { accounts } from './accounts.js'
import { blocks } from './blocks.js'
import { configuration } from './configuration.js'
import { rpc } from './rpc.js'
import { runMethod } from './run-method.js'
import { send } from './send.js'
import { transactions } from './transactions.js'
import { utils } from './utils.js'

/** The table of API v2. */
// An intersection keeps the names of its parts in declarations.
export type V2Endpoints = typeof accounts &
  typeof blocks &
  typeof transactions &
  typeof send &
  typeof runMethod &
  typeof utils &
  typeof configuration &
  typeof rpc

/** All endpoints of API v2, in the order of its description. */
export const v2Endpoints: V2Endpoints = {
  ...accounts,
  ...blocks,
  ...transactions,
  ...send,
  ...runMethod,
  ...utils,
  ...configuration,
  ...rpc,
}

/** The types of the endpoints, from which the build writes `generated/types.ts`. */
export type V2DescribedTypes = DescribedTypes<V2Endpoints>

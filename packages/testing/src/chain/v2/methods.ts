import type { V2EndpointName } from '@tonplug/core'
import { accounts } from './accounts.js'
import { blocks } from './blocks.js'
import { configuration } from './configuration.js'
import { messages } from './messages.js'
import type { Answer } from './question.js'
import { runMethods } from './run-method.js'
import { spellings } from './spellings.js'
import { transactions } from './transactions.js'

/** An answer to every path of API v2 but `/jsonRPC`, which leads to the others. */
export const methods: Readonly<Record<Exclude<V2EndpointName, 'jsonRPC'>, Answer>> = {
  ...accounts,
  ...blocks,
  ...transactions,
  ...messages,
  ...runMethods,
  ...spellings,
  ...configuration,
}

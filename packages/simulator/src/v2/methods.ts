import type { V2EndpointName } from '@tonplug/core/toncenter'
import { accounts } from './accounts.js'
import { blocks } from './blocks.js'
import { configuration } from './configuration.js'
import { messages } from './messages.js'
import type { Method } from './method-call.js'
import { runMethods } from './run-method.js'
import { formats } from './formats.js'
import { transactions } from './transactions.js'

/** All methods of API v2 except `/jsonRPC`, which calls them. */
export const methods: Readonly<Record<Exclude<V2EndpointName, 'jsonRPC'>, Method>> = {
  ...accounts,
  ...blocks,
  ...transactions,
  ...messages,
  ...runMethods,
  ...formats,
  ...configuration,
}

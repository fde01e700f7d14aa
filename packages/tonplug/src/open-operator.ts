import { createPayments, type Logger } from '@tonplug/core'
import { createOperator, type Operator, type OperatorOptions } from '@tonplug/core/operator'
import { postgresInbox, postgresOrderRepository } from '@tonplug/postgres'
import type { DatabaseLocation } from './database-location.js'
import { withInbox, type OpenInbox } from './open-inbox.js'

/** Opens a database for the actions of an operator. The process decides nothing: the servers do. */
export function withOperator<Result>(
  location: DatabaseLocation,
  {
    name = 'default',
    v3,
    network,
  }: { name?: string | undefined } & Omit<OperatorOptions, 'payments'>,
  work: (operator: Operator, open: OpenInbox) => Promise<Result>,
): Promise<Result> {
  return withInbox(location, (open) => {
    const payments = createPayments({
      name,
      inbox: postgresInbox(open.db),
      orders: postgresOrderRepository(open.db, { name }),
      logger: SILENT,
      autoStart: false,
    })
    return work(createOperator({ payments, v3, network }), open)
  })
}

/** The command prints everything relevant. */
const SILENT: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
}

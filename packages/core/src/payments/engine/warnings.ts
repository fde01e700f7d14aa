import type { Report } from '../inbox/inbox-reports.js'
import type { Order } from '../orders/order.js'
import type { OrderRepository } from '../orders/repository.js'
import { errorFacts } from '../../shared/error-facts.js'
import type { Logger } from '../../shared/logger.js'
import type { ResolvedOptions } from './options.js'

/** Open orders that are checked for body hashes at start. */
const SAMPLED_ORDERS = 20

/** Logs a report whose body cannot be read. */
export function logUnreadable(logger: Logger, { id, merchant, problem }: Report): void {
  logger.error('report not readable; it is stored and can be decided again after an upgrade', {
    reportId: id,
    ...(merchant !== '' && { merchant }),
    problem,
  })
}

/** Logs acknowledged work that is lost when the process ends. Never rejects. */
export async function logLost<O extends Order>({
  inbox,
  name,
  logger,
}: ResolvedOptions<O>): Promise<void> {
  if (inbox.isDurable) return
  try {
    const { undecided, parked, open } = await inbox.stats({ name })
    if (undecided + parked + open === 0) return
    logger.error('unfinished work is lost when the process ends', { undecided, parked, open })
  } catch (error) {
    logger.warn('unfinished work unknown', { error: errorFacts(error) })
  }
}

/** Logs that the inbox is lost when the process ends. */
export function warnOfMemory<O extends Order>({ inbox, logger }: ResolvedOptions<O>): void {
  const isProduction = globalThis.process?.env['NODE_ENV'] === 'production'
  const fields = { inbox: inbox.name }
  if (isProduction) {
    logger.error(
      'inbox is lost when the process ends, and NODE_ENV is production; use a durable inbox, for example postgresInbox(pool)',
      fields,
    )
  } else {
    logger.warn('inbox is lost when the process ends; use a durable inbox in production', fields)
  }
}

/** Warns when open orders have no body hash: a proof then accepts any payment of the right amount. Never rejects. */
export async function warnOfMissingHashes<O extends Order>(
  orders: OrderRepository<O>,
  logger: Logger,
): Promise<void> {
  let total = 0
  let bound = 0
  try {
    for await (const { bodyBase64Hash } of orders.listOpen({ limit: SAMPLED_ORDERS })) {
      total++
      if (typeof bodyBase64Hash === 'string') bound++
    }
  } catch (error) {
    logger.warn('open orders not readable', { error: errorFacts(error) })
    return
  }
  if (total === 0 || bound > 0) return
  logger.warn(
    'orders have no bodyBase64Hash, so verifyOnChain cannot bind payments to them; store the hash that the created transfer or invoice has, if it has one',
    { orders: total },
  )
}

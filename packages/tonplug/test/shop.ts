import { setTimeout } from 'node:timers/promises'
import { createPayments, createWebhookReceiver, type Inbox, type TransferData } from '@tonplug/core'
import { postgresInbox, postgresOrderRepository, type Queryable } from '@tonplug/postgres'
import { createTestLogger, signPayload, transferCompleted } from '@tonplug/testing'

const SECRET = 'whsec_command_test'

/** The shop's orders, deliveries, settings and handlers. */
export interface Visit {
  /** Orders that exist. */
  orders?: readonly string[]
  /** References of the transfers that are delivered. */
  transfers?: readonly string[]
  /** Called by `onPaid.mail`; after an error the handler is dead at once. */
  mail?: (reference: string) => void
  wallets?: readonly string[]
  /** Keeps the server running until it returns true. */
  until?: () => boolean
  /** Deliveries with an older timestamp are unreadable. */
  maxAgeMs?: number
}

/** Runs the shop's server over a database until it has nothing left to do. */
export async function visit(
  db: Queryable,
  { orders = [], transfers = [], mail = () => undefined, wallets, until, maxAgeMs }: Visit,
): Promise<void> {
  const repository = postgresOrderRepository(db)
  for (const reference of orders) {
    await repository.create({ reference, rawAmount: 10_500_000_000n, asset: 'TON', data: null })
  }
  const inbox = postgresInbox(db)
  const payments = createPayments({
    orders: repository,
    inbox,
    wallets,
    handlerRetry: { maxAttempts: 1 },
    onPaid: {
      ship: () => undefined,
      mail: ({ order }) => mail(order.reference),
    },
    logger: createTestLogger(),
  })
  const secrets = [{ name: 'main', secret: SECRET }]
  const receiver = createWebhookReceiver({ payments, secrets, maxAgeMs })
  for (const reference of transfers) {
    const { body, headers } = signPayload(transferCompleted(transfer(reference)), SECRET)
    await receiver.receive({ headers, rawBody: Buffer.from(body) })
  }
  // Handlers run concurrently; dead ones are not open.
  while (until?.() === false || (await hasWork(inbox))) await setTimeout(10)
  await receiver.close()
  await payments.close()
}

/** Returns true while the inbox has reports to decide or handlers to run. */
async function hasWork(inbox: Inbox): Promise<boolean> {
  const { undecided, open } = await inbox.stats()
  return undecided + open > 0 || (await inbox.processes.nextDueInMs({ name: 'default' })) === 0
}

/** A transfer with its own hash. */
function transfer(reference: string): Partial<TransferData> {
  return { reference, txHash: Buffer.from(reference).toString('hex').padStart(64, '0') }
}

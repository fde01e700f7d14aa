import { createWebhookReceiver, type TransferData } from '@tonplug/core'
import { postgresInbox, postgresOrderRepository, type Queryable } from '@tonplug/postgres'
import { recordingLogger, signPayload, transferCompleted } from '@tonplug/testing'

const SECRET = 'whsec_command_test'

/** What the shop's server is given, and how its handlers fare. */
export interface Visit {
  /** Orders that exist. */
  orders?: readonly string[]
  /** References of the transfers that are delivered. */
  transfers?: readonly string[]
  /** Called by `onPaid.mail`; what it throws makes the handler dead at once. */
  mail?: (reference: string) => void
}

/** Runs the shop's server over a database until it has nothing left to do. */
export async function visit(
  db: Queryable,
  { orders = [], transfers = [], mail = () => undefined }: Visit,
): Promise<void> {
  const repository = postgresOrderRepository(db)
  for (const reference of orders) {
    await repository.create({ reference, rawAmount: 10_500_000_000n, asset: 'TON', data: null })
  }
  const inbox = postgresInbox(db)
  const receiver = createWebhookReceiver({
    secrets: [{ name: 'main', secret: SECRET }],
    orders: repository,
    inbox,
    handlerRetry: { maxAttempts: 1 },
    onPaid: {
      ship: () => undefined,
      mail: ({ order }) => mail(order.reference),
    },
    logger: recordingLogger(),
  })
  for (const reference of transfers) {
    const { body, headers } = signPayload(transferCompleted(transfer(reference)), SECRET)
    await receiver.receive({ headers, rawBody: Buffer.from(body) })
  }
  // The handlers run beside the deliveries; those that ended dead are not open.
  while ((await inbox.stats()).open > 0) await new Promise(setImmediate)
  await receiver.close()
}

/** A transfer with a hash of its own. */
function transfer(reference: string): Partial<TransferData> {
  return { reference, txHash: Buffer.from(reference).toString('hex').padStart(64, '0') }
}

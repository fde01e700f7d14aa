// Run twice: the first process is paid, the second one, with `--restarted`, finds that on the disk and is not paid again.
import assert from 'node:assert/strict'
import { createPayments, createWebhookReceiver } from '@tonplug/core'
import {
  openDatabase,
  postgresInbox,
  postgresInboxReader,
  postgresOrderRepository,
  type OpenDatabase,
} from '@tonplug/postgres'
import { signPayload, transferCompleted } from '@tonplug/testing'

const secret = 'whsec_test'
const reference = 'order-1'
const isRestarted = process.argv.includes('--restarted')
void main()

async function main(): Promise<void> {
  const { db, close } = await openDatabase({ folder: './shop' })
  const orders = postgresOrderRepository<{ item: string }>(db)
  if (!isRestarted) {
    const data = { item: 'cap' }
    await orders.create({ reference, rawAmount: 10500000000n, asset: 'TON', data })
  }
  assert.equal((await orders.find({ reference }))?.status, isRestarted ? 'completed' : 'pending')
  assert.deepEqual(await takeDelivery(db), isRestarted ? [] : ['cap'])
  const stored = await postgresInboxReader(db).list({ limit: 10 })
  assert.deepEqual(
    stored.map(({ report }) => report.reference),
    [reference],
  )
  await close()
}

/** @returns the items that were shipped before Payments was closed. */
async function takeDelivery(db: OpenDatabase['db']): Promise<string[]> {
  const paid: string[] = []
  let ship: () => void = () => undefined
  const shipped = new Promise<void>((resolve) => {
    ship = resolve
  })
  const payments = createPayments({
    inbox: postgresInbox(db),
    orders: postgresOrderRepository<{ item: string }>(db),
    onPaid: ({ order }) => {
      paid.push(order.data.item)
      ship()
    },
  })
  const receiver = createWebhookReceiver({ payments, secrets: secret })
  const { body, headers } = signPayload(transferCompleted({ reference }), secret)
  const url = 'https://shop.example/webhooks/ton'
  const answer = await receiver.handle(new Request(url, { method: 'POST', headers, body }))
  assert.equal(answer.status, 200)
  if (!isRestarted) await shipped
  await receiver.close()
  await payments.close()
  return paid
}

import { comment, internal } from '@ton/core'
import { memoryOrderRepository, type MemoryOrderRepository } from '@tonplug/core'
import { createOperator } from '@tonplug/core/operator'
import { expect, it } from 'vitest'
import { openInvoices, START_MS } from './invoice-shop.js'
import { submitWebhook } from './submit-webhook.js'

const PRICE = 2_000_000_000n
const SURPLUS = 500_000_000n
const reference = 'order-1'

function createGate() {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { opened, open: () => open() }
}

/** A shop whose order was paid too much, in a transaction that no watcher has read. */
async function openPaidShop(
  repository: MemoryOrderRepository,
  complete: MemoryOrderRepository['complete'],
) {
  const shop = await openInvoices({
    payments: {
      orders: { ...repository, complete },
      verifyOnChain: undefined,
      amounts: { overpaid: 'accept' },
    },
  })
  const { v3, payments, merchant } = shop
  const recipient = merchant.address.toRawString()
  const operator = createOperator({ payments, v3 })
  const open = { reference, rawAmount: PRICE, asset: 'TON', status: 'pending' } as const
  repository.add({ ...open, createdAt: new Date(START_MS), recipient })
  const payer = await shop.payer()
  const body = comment(reference)
  const value = PRICE + SURPLUS
  const root = await payer.send([internal({ to: merchant.address, value, bounce: false, body })])
  const hash = root.transaction.hash().toString('hex')
  await shop.pass(120)
  return { ...shop, operator, open, payer, recipient, value, hash }
}

it('S134 refunds the surplus once when a webhook and the watcher claim the payment at once', async () => {
  const repository = memoryOrderRepository()
  const [isHeld, isReleased, isCompleted] = [createGate(), createGate(), createGate()]
  const complete: MemoryOrderRepository['complete'] = async (key, payment) => {
    if (payment.source === 'chain') {
      isHeld.open()
      await isReleased.opened
      return repository.complete(key, payment).finally(isCompleted.open)
    }
    // Both have claimed the money; the claim of this one is the later one.
    isReleased.open()
    await isCompleted.opened
    return repository.complete(key, payment)
  }
  const shop = await openPaidShop(repository, complete)
  const { payments, inbox, operator, payer, recipient, value, hash: traceId } = shop
  const looked = shop.watcher.run()
  await isHeld.opened
  await submitWebhook(payments, { payer, recipient, reference, value, traceId })
  await looked
  await shop.pass(30)
  const order = await repository.find({ reference })
  const [credit] = await inbox.credits.find({ hashes: [traceId] })
  expect([order?.payment?.txHash, credit?.uses[0]?.payment]).toEqual([
    credit?.txHash,
    credit?.txHash,
  ])
  const refunds = []
  for (const transactionHash of [credit?.txHash ?? '', traceId]) {
    refunds.push(await operator.refund({ transactionHash }, { by: 'ann' }))
  }
  expect(refunds.map(({ state }) => state)).toEqual(['proposed', 'waiting'])
  const uses = (await inbox.credits.find({ hashes: [traceId] })).flatMap((one) => one.uses)
  expect(uses.map(({ kind, rawAmount }) => [kind, rawAmount])).toEqual([
    ['order', PRICE],
    ['refund', SURPLUS],
  ])
  expect(shop.paid).toEqual([reference])
})

it('S134 refunds no surplus before the order is completed, and all of the money when it is cancelled', async () => {
  const repository = memoryOrderRepository()
  const [isHeld, isReleased] = [createGate(), createGate()]
  const complete: MemoryOrderRepository['complete'] = async (key, payment) => {
    isHeld.open()
    await isReleased.opened
    return repository.complete(key, payment)
  }
  const shop = await openPaidShop(repository, complete)
  const { inbox, operator, open, value } = shop
  const hashes = [shop.hash]
  const looked = shop.watcher.run()
  await isHeld.opened
  const [credit] = await inbox.credits.find({ hashes })
  const transactionHash = credit?.txHash ?? ''
  const uses = async () =>
    (await inbox.credits.find({ hashes }))
      .flatMap((one) => one.uses)
      .map(({ kind, rawAmount }) => [kind, rawAmount])
  const refund = () => operator.refund({ transactionHash }, { by: 'ann' })
  expect(await refund()).toMatchObject({ state: 'rejected' })
  expect(await uses()).toEqual([['order', PRICE]])
  repository.replace({ ...open, status: 'cancelled' })
  isReleased.open()
  await looked
  await shop.pass(30)
  expect(await refund()).toMatchObject({ state: 'proposed' })
  expect(await uses()).toEqual([['refund', value]])
})

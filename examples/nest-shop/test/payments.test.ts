import { expect, test } from 'vitest'
import { catalogue } from '../src/orders/catalogue.js'
import { Journal } from '../src/orders/journal.js'
import { PaymentsController } from '../src/payments/payments.controller.js'
import { Shipping } from '../src/payments/shipping.js'

type Paid = Parameters<PaymentsController['paid']>

test('S47 a handler that runs again with the same key ships and says nothing more', () => {
  const [journal, shipping] = [new Journal(), new Shipping()]
  const payments = new PaymentsController(journal, shipping)
  const [product] = catalogue
  // As much of the event as the handler looks at.
  const event = { order: { reference: 'order-1', product }, payment: { rawAmount: 1n } } as Paid[0]
  const run = (idempotencyKey: string) => payments.paid(event, { idempotencyKey } as Paid[1])

  run('key-1')
  run('key-1')

  expect(shipping.list('order-1')).toHaveLength(1)
  expect(journal.list('order-1').map(({ kind }) => kind)).toEqual(['paid', 'shipped'])

  run('key-2')
  expect(shipping.list('order-1')).toHaveLength(2)
})

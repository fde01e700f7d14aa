import type { INestApplication } from '@nestjs/common'
import { Test } from '@nestjs/testing'
import { memoryOrderRepository } from '@tonplug/core'
import { startSimulator, type Simulator } from '@tonplug/simulator'
import { PaymentsModule, secret, Shipping, tonplugAt } from './shop.js'

let app: INestApplication
let simulator: Simulator
let url = ''

beforeAll(async () => {
  simulator = await startSimulator({ secret, url: () => url })
})
// Jest waits for open servers, also after a failed test.
afterAll(async () => {
  await app.close()
  await simulator.close()
})

test('a testing module takes the payment of a contract, proven on the simulated chain', async () => {
  const orders = memoryOrderRepository()
  const tonplug = tonplugAt(simulator, orders)
  const testing = await Test.createTestingModule({ imports: [tonplug, PaymentsModule] }).compile()
  app = testing.createNestApplication()
  await app.listen(0, '127.0.0.1')
  url = `${await app.getUrl()}/webhooks/ton`

  const asset = simulator.usdt.master.toString()
  const { reference } = simulator.gateway.createTransfer({ rawAmount: 19990000n, asset })
  orders.add({ reference, rawAmount: 19990000n, asset, status: 'pending' })
  const { report } = await simulator.pay(reference)
  expect(report.isDelivered).toBe(true)

  const { shipped } = app.get(Shipping)
  for (let count = 0; shipped.length === 0 && count < 3000; count++) {
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  expect(shipped).toEqual([reference])
})

import 'reflect-metadata'
import assert from 'node:assert/strict'
import { Injectable, Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { memoryOrderRepository, type PaidTransfer } from '@tonplug/core'
import { OnPaid, TonplugModule, WebhookController } from '@tonplug/nestjs'
import { signPayload, transferCompleted } from '@tonplug/testing'

const secret = 'whsec_test'
const reference = 'order-1'

@Injectable()
class Shipping {
  readonly shipped: string[] = []
}

@WebhookController('webhooks/ton')
class PaymentsController {
  constructor(private readonly shipping: Shipping) {}

  @OnPaid()
  ship({ order }: PaidTransfer): void {
    this.shipping.shipped.push(order.reference)
  }
}

@Module({
  imports: [
    TonplugModule.forRoot({
      payments: {
        orders: memoryOrderRepository([
          { reference, rawAmount: 10500000000n, asset: 'TON', status: 'pending' },
        ]),
      },
      webhook: { secrets: secret },
    }),
  ],
  controllers: [PaymentsController],
  providers: [Shipping],
})
class AppModule {}

void main()

async function main(): Promise<void> {
  const app = await NestFactory.create(AppModule, { logger: false })
  await app.listen(0, '127.0.0.1')
  const url = `${await app.getUrl()}/webhooks/ton`
  const { body, headers } = signPayload(transferCompleted({ reference }), secret)
  const forged = await fetch(url, { method: 'POST', headers, body: `${body} ` })
  assert.equal(forged.status, 401)
  const genuine = await fetch(url, { method: 'POST', headers, body })
  assert.equal(genuine.status, 200)
  await app.close()
  assert.deepEqual(app.get(Shipping).shipped, [reference])
}

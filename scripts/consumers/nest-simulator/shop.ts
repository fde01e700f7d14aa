import { type DynamicModule, Injectable, Module } from '@nestjs/common'
import type { OrderRepository, PaidTransfer } from '@tonplug/core'
import { OnPaid, TonplugModule, WebhookController } from '@tonplug/nestjs'
import type { Simulator } from '@tonplug/simulator'

export const secret = 'whsec_test'

@Injectable()
export class Shipping {
  readonly shipped: string[] = []
}

@WebhookController('webhooks/ton')
export class PaymentsController {
  constructor(private readonly shipping: Shipping) {}

  @OnPaid()
  ship({ order }: PaidTransfer): void {
    this.shipping.shipped.push(order.reference)
  }
}

@Module({ controllers: [PaymentsController], providers: [Shipping] })
export class PaymentsModule {}

/** tonplug at the gateway of a simulator. */
export function tonplugAt(simulator: Simulator, orders: OrderRepository): DynamicModule {
  return TonplugModule.forRoot({
    baseUrl: simulator.urls.chain,
    payments: {
      orders,
      wallets: [simulator.merchant.address.toString()],
      verifyOnChain: true,
    },
    webhook: { secrets: secret },
  })
}

import { Inject, Injectable, Module } from '@nestjs/common'
import { memoryOrderRepository } from '@tonplug/core'
import type { PaidTransfer } from '@tonplug/core'
import { OnTransferPaid, TonplugModule, WebhookController } from '@tonplug/nestjs'

/** Injected by its class, which needs the metadata that the compiler emits. */
@Injectable()
export class Shipping {
  readonly shipped: string[] = []
}

@WebhookController('webhooks/ton')
export class PaymentsController {
  constructor(private readonly shipping: Shipping) {}

  @OnTransferPaid()
  ship({ order }: PaidTransfer): void {
    this.shipping.shipped.push(order.reference)
  }
}

@Injectable()
export class Config {
  readonly secret = 'whsec_test'
}

@Module({ providers: [Config], exports: [Config] })
export class ConfigModule {}

@Module({
  imports: [
    TonplugModule.forRootAsync({
      imports: [ConfigModule],
      inject: [Config],
      useFactory: ({ secret }: Config) => ({
        network: 'testnet',
        webhook: {
          secrets: secret,
          orders: memoryOrderRepository([
            { reference: 'order-1', rawAmount: 10500000000n, asset: 'TON', status: 'pending' },
          ]),
        },
      }),
    }),
  ],
  controllers: [PaymentsController],
  providers: [Shipping],
})
export class AppModule {
  constructor(@Inject(Shipping) readonly shipping: Shipping) {}
}

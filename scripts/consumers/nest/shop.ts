import { Inject, Injectable, Module } from '@nestjs/common'
import { memoryOrderRepository } from '@tonplug/core'
import type { PaidTransfer } from '@tonplug/core'
import { OnPaid, TonplugModule, V2Service, V3Service, WebhookController } from '@tonplug/nestjs'

/** Injected by its class, as the clients are, which needs the metadata that the compiler emits. */
@Injectable()
export class Shipping {
  readonly shipped: string[] = []

  constructor(
    readonly v2: V2Service,
    readonly v3: V3Service,
  ) {}
}

@WebhookController('webhooks/ton')
export class PaymentsController {
  constructor(private readonly shipping: Shipping) {}

  @OnPaid()
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
        // A closed port.
        baseUrl: 'http://127.0.0.1:9',
        retry: { maxAttempts: 1 },
        payments: {
          orders: memoryOrderRepository([
            { reference: 'order-1', rawAmount: 10500000000n, asset: 'TON', status: 'pending' },
          ]),
        },
        webhook: { secrets: secret },
      }),
    }),
  ],
  controllers: [PaymentsController],
  providers: [Shipping],
})
export class AppModule {
  constructor(@Inject(Shipping) readonly shipping: Shipping) {}
}

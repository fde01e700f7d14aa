import { Injectable } from '@nestjs/common'
import type {
  ExtraPayment,
  FailedTransfer,
  HandlerContext,
  MismatchedTransfer,
  Order,
  OrderRepository,
  PaidTransfer,
  UnmatchedTransfer,
  WebhookReceiver,
} from '@tonplug/core'
import { TonplugModule } from '../../src/tonplug.module.js'
import type { TonplugOptionsFactory } from '../../src/tonplug.options.js'
import { InjectReceiver } from '../../src/tonplug.tokens.js'
import {
  OnExtraPayment,
  OnTransferFailed,
  OnTransferMismatched,
  OnTransferPaid,
  OnTransferUnmatched,
} from '../../src/webhook/handlers.decorators.js'

interface ShopOrder extends Order {
  buyer: string
}

declare const orders: OrderRepository<ShopOrder>

/** What a decorated method may take. */
@Injectable()
export class FittingHandlers {
  constructor(@InjectReceiver('euros') readonly receiver: WebhookReceiver) {}

  @OnTransferPaid()
  nothing(): void {}

  @OnTransferPaid({ name: 'euros' })
  paid({ order, transfer, payment, late }: PaidTransfer, context: HandlerContext): unknown {
    return [order, transfer, payment, late, context.idempotencyKey]
  }

  @OnTransferPaid()
  async ownOrder({ order }: PaidTransfer<ShopOrder>): Promise<string> {
    return order.buyer
  }

  @OnTransferFailed()
  failed({ failure }: FailedTransfer<ShopOrder>): unknown {
    return failure.errorCode
  }

  @OnTransferMismatched()
  mismatched({ decision }: MismatchedTransfer<ShopOrder>): unknown {
    return decision.kind
  }

  @OnTransferUnmatched()
  unmatched({ transfer }: UnmatchedTransfer): unknown {
    return transfer.reference
  }

  @OnExtraPayment()
  extra({ decision }: ExtraPayment<ShopOrder>): unknown {
    return decision.received
  }

  @OnTransferPaid()
  @OnTransferFailed()
  both({ order }: PaidTransfer | FailedTransfer): unknown {
    return order.reference
  }

  @OnTransferPaid()
  protected notPublic({ order }: PaidTransfer): unknown {
    return order.reference
  }
}

/** What it may not. */
export class UnfittingHandlers {
  // @ts-expect-error a failed transfer is not what was paid
  @OnTransferPaid()
  failed(event: FailedTransfer): unknown {
    return event
  }

  // @ts-expect-error a paid transfer has no failure
  @OnTransferFailed()
  paid({ failure }: PaidTransfer & { failure: string }): unknown {
    return failure
  }

  // @ts-expect-error an unmatched transfer has no order
  @OnTransferUnmatched()
  order({ order }: PaidTransfer): unknown {
    return order
  }

  // @ts-expect-error the first parameter is the event
  @OnTransferPaid()
  reference(reference: string): unknown {
    return reference
  }

  // @ts-expect-error the second parameter is the context
  @OnTransferPaid()
  swapped(event: PaidTransfer, reference: string): unknown {
    return [event, reference]
  }

  // @ts-expect-error there is no third parameter
  @OnTransferPaid()
  tooMany(event: PaidTransfer, context: HandlerContext, more: string): unknown {
    return [event, context, more]
  }

  // @ts-expect-error it decorates methods
  @OnTransferPaid()
  readonly property = 1
}

class OptionsFactory implements TonplugOptionsFactory<ShopOrder> {
  createTonplugOptions() {
    return { webhook: { secrets: 'whsec_types', orders } }
  }
}

class Config {
  declare readonly secret: string
}

/** How the module may be imported. */
export const modules = [
  TonplugModule.forRoot({ webhook: { secrets: 'whsec_types', orders } }),
  TonplugModule.forRoot({
    name: 'euros',
    path: 'webhooks/euros',
    isGlobal: true,
    network: 'testnet',
    webhook: {
      secrets: ['whsec_types'],
      orders,
      rules: [({ order }) => (order.buyer === '' ? { reason: 'nobody' } : undefined)],
    },
  }),
  TonplugModule.forRootAsync({ path: 'a', useClass: OptionsFactory }),
  TonplugModule.forRootAsync({ path: 'a', useExisting: OptionsFactory }),
  TonplugModule.forRootAsync({
    inject: [Config],
    useFactory: ({ secret }: Config) => ({ webhook: { secrets: secret, orders } }),
  }),
  TonplugModule.forRootAsync({
    inject: [Config],
    useFactory: async (config: Config) => ({
      network: 'mainnet',
      webhook: { secrets: config.secret, orders },
    }),
  }),
]

// @ts-expect-error a webhook needs a secret
TonplugModule.forRoot({ webhook: { orders } })
// @ts-expect-error and orders
TonplugModule.forRoot({ webhook: { secrets: 'whsec_types' } })
// @ts-expect-error handlers are methods
TonplugModule.forRoot({ webhook: { secrets: 'whsec_types', orders, onPaid: () => undefined } })
// @ts-expect-error there are two networks
TonplugModule.forRoot({ network: 'tesnet', webhook: { secrets: 'whsec_types', orders } })
TonplugModule.forRootAsync({
  useFactory: () => ({ webhook: { secrets: 'whsec_types', orders } }),
  // @ts-expect-error the name is a text
  name: 1,
})

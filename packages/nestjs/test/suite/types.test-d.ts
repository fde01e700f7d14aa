import { Injectable } from '@nestjs/common'
import { HealthCheckService } from '@nestjs/terminus'
import type {
  Cursor,
  ExtraPayment,
  FailedTransfer,
  HandlerContext,
  MismatchedTransfer,
  Order,
  OrderRepository,
  PaidTransfer,
  UnmatchedTransfer,
  UnverifiedTransfer,
  V2Client,
  V2Result,
  V3Client,
  WebhookReceiver,
} from '@tonplug/core'
import type { Observable } from 'rxjs'
import { TonplugHealthIndicator } from '../../src/health.js'
import type { TonplugHealth } from '../../src/health.js'
import { observeRows } from '../../src/observe-rows.js'
import { TonplugModule } from '../../src/tonplug.module.js'
import type { TonplugOptionsFactory } from '../../src/tonplug.options.js'
import { InjectReceiver, InjectV2, InjectV3 } from '../../src/tonplug.tokens.js'
import { V2Service } from '../../src/v2.service.js'
import { V3Service } from '../../src/v3.service.js'
import {
  OnExtraPayment,
  OnTransferFailed,
  OnTransferMismatched,
  OnTransferPaid,
  OnTransferUnmatched,
  OnTransferUnverified,
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

  @OnTransferUnverified()
  unverified({ order, decision }: UnverifiedTransfer<ShopOrder>): unknown {
    return [order.buyer, decision.reason]
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
  TonplugModule.forRoot({}),
  TonplugModule.forRoot({ network: 'testnet', apiKey: 'k', rps: 5, isGlobal: true }),
  TonplugModule.forRoot({
    name: 'own',
    baseUrl: ['https://one.example', 'https://other.example'],
    retry: { maxAttempts: 2 },
    timeoutMs: 1,
    hooks: { drift: ({ path }) => void path },
    webhook: { secrets: 'whsec_types', orders },
  }),
  TonplugModule.forRootAsync({
    inject: [Config],
    useFactory: ({ secret }: Config) => ({ apiKey: secret }),
  }),
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
// @ts-expect-error a misspelt option
TonplugModule.forRoot({ apikey: 'k' })

/** The client is core's. */
@Injectable()
export class Clients {
  constructor(
    readonly v2: V2Service,
    @InjectV2('wholesale') readonly wholesale: V2Client,
  ) {}

  async use(): Promise<void> {
    this.v2 satisfies V2Client
    const balance = await this.v2.getAddressBalance({ address: 'EQ' }, { priority: 'high' })
    balance satisfies bigint
    const { last } = (await this.v2.getMasterchainInfo()) satisfies V2Result<'getMasterchainInfo'>
    last.seqno satisfies number
    for await (const { fee } of this.v2.getTransactions.iterate({ address: 'EQ' })) {
      fee satisfies bigint
    }
    ;(await this.v2.request({ path: '/getSomethingNew' })) satisfies unknown
    // @ts-expect-error the address is required
    void this.v2.getAddressBalance({})
    // @ts-expect-error a method that is none
    void this.v2.getBalance
    // @ts-expect-error methods stay as they are
    this.v2.getMasterchainInfo = this.wholesale.getMasterchainInfo
  }
}

/** And so is that of API v3; its follows and walks are Observables for those who want them. */
@Injectable()
export class Payments {
  constructor(
    readonly v3: V3Service,
    @InjectV3('wholesale') readonly wholesale: V3Client,
  ) {}

  async use(): Promise<void> {
    this.v3 satisfies V3Client
    const { last } = await this.v3.masterchainInfo()
    last.seqno satisfies number
    // @ts-expect-error a method that is none
    void this.v3.getTransactions
    // @ts-expect-error methods stay as they are
    this.v3.masterchainInfo = this.wholesale.masterchainInfo
  }

  watch(): Observable<string> {
    return observeRows(
      (signal) => this.v3.transactions.follow({ account: 'EQ' }, { signal }),
      async (transaction, follow) => {
        transaction.lt satisfies bigint
        follow.cursor() satisfies Cursor
        // @ts-expect-error a field that is none
        void transaction.amount
        return transaction.hash
      },
    )
  }
}

/** Terminus takes the indicator, in every version. */
@Injectable()
export class Health {
  constructor(
    private readonly health: HealthCheckService,
    private readonly tonplug: TonplugHealthIndicator,
  ) {}

  async check(): Promise<unknown> {
    const { ton } = await this.tonplug.isHealthy('ton', { name: 'euros', timeoutMs: 1 })
    ton satisfies TonplugHealth
    // @ts-expect-error a limit that is none
    void this.tonplug.isHealthy('ton', { maxLag: 1 })
    return this.health.check([
      () => this.tonplug.isHealthy('ton', { maxLagSeconds: 30 }),
      async () => this.tonplug.isHealthy('wholesale', { name: 'wholesale' }),
    ])
  }
}

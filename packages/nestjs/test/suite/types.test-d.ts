import { Injectable } from '@nestjs/common'
import type { Address, Contract, ContractProvider } from '@ton/core'
import type {
  ExtraPayment,
  FailedTransfer,
  HandlerContext,
  MismatchedTransfer,
  Order,
  OrderRepository,
  PaidTransfer,
  Payments,
  PaymentWatcher,
  UnknownOrder,
  UnverifiedTransfer,
  WebhookReceiver,
} from '@tonplug/core'
import { createContracts } from '@tonplug/core/contract'
import { sendAndWait, waitForMessage } from '@tonplug/core/toncenter'
import type { V2Client, V2Result, V3Client } from '@tonplug/core/toncenter'
import { TonplugModule } from '../../src/tonplug.module.js'
import type { TonplugOptionsFactory } from '../../src/tonplug.options.js'
import {
  InjectPayments,
  InjectReceiver,
  InjectV2,
  InjectV3,
  InjectWatcher,
} from '../../src/tonplug.tokens.js'
import { V2Service, V3Service } from '../../src/services.js'
import {
  OnExtraPayment,
  OnFailed,
  OnMismatch,
  OnPaid,
  OnUnknownOrder,
  OnUnverified,
} from '../../src/payments/handlers.decorators.js'

interface ShopOrder extends Order {
  buyer: string
}

declare const orders: OrderRepository<ShopOrder>

/** Valid parameters of handlers. */
@Injectable()
export class FittingHandlers {
  constructor(
    @InjectReceiver('euros') readonly receiver: WebhookReceiver,
    @InjectPayments('euros') readonly payments: Payments<ShopOrder>,
    @InjectWatcher('euros') readonly watcher: PaymentWatcher,
  ) {}

  @OnPaid()
  nothing(): void {}

  @OnPaid({ name: 'euros' })
  paid({ order, transfer, payment, isLate }: PaidTransfer, context: HandlerContext): unknown {
    return [order, transfer, payment, isLate, context.idempotencyKey]
  }

  @OnPaid()
  async ownOrder({ order }: PaidTransfer<ShopOrder>): Promise<string> {
    return order.buyer
  }

  @OnFailed()
  failed({ failure }: FailedTransfer<ShopOrder>): unknown {
    return failure.errorCode
  }

  @OnMismatch()
  mismatched({ decision, reason }: MismatchedTransfer<ShopOrder>): unknown {
    return [decision.kind, reason]
  }

  @OnUnknownOrder()
  unknown({ transfer, merchant }: UnknownOrder): unknown {
    return [merchant, transfer.reference]
  }

  @OnExtraPayment()
  extra({ decision }: ExtraPayment<ShopOrder>): unknown {
    return decision.received
  }

  @OnUnverified()
  unverified({ order, decision }: UnverifiedTransfer<ShopOrder>): unknown {
    return [order.buyer, decision.reason]
  }

  @OnPaid()
  @OnFailed()
  both({ order }: PaidTransfer | FailedTransfer): unknown {
    return order.reference
  }

  @OnPaid()
  protected notPublic({ order }: PaidTransfer): unknown {
    return order.reference
  }
}

/** Invalid parameters of handlers. */
export class UnfittingHandlers {
  // @ts-expect-error the event is a paid transfer, not a failed one
  @OnPaid()
  failed(event: FailedTransfer): unknown {
    return event
  }

  // @ts-expect-error a paid transfer has no failure
  @OnFailed()
  paid({ failure }: PaidTransfer & { failure: string }): unknown {
    return failure
  }

  // @ts-expect-error the event has no order
  @OnUnknownOrder()
  order({ order }: PaidTransfer): unknown {
    return order
  }

  // @ts-expect-error the first parameter is the event
  @OnPaid()
  reference(reference: string): unknown {
    return reference
  }

  // @ts-expect-error the second parameter is the context
  @OnPaid()
  swapped(event: PaidTransfer, reference: string): unknown {
    return [event, reference]
  }

  // @ts-expect-error handlers have two parameters
  @OnPaid()
  tooMany(event: PaidTransfer, context: HandlerContext, more: string): unknown {
    return [event, context, more]
  }

  // @ts-expect-error only methods can be decorated
  @OnPaid()
  readonly property = 1
}

class OptionsFactory implements TonplugOptionsFactory<ShopOrder> {
  createTonplugOptions() {
    return { payments: { orders }, webhook: { secrets: 'whsec_types' } }
  }
}

class Config {
  declare readonly secret: string
}

/** Valid imports of the module. */
export const modules = [
  TonplugModule.forRoot({}),
  TonplugModule.forRoot({ network: 'testnet', apiKey: 'k', rps: 5, isGlobal: true }),
  TonplugModule.forRoot({
    name: 'own',
    baseUrl: ['https://one.example', 'https://other.example'],
    retry: { maxAttempts: 2 },
    timeoutMs: 1,
    hooks: { retry: ({ delayMs }) => void delayMs },
    payments: { orders },
    webhook: { secrets: 'whsec_types' },
  }),
  TonplugModule.forRootAsync({
    inject: [Config],
    useFactory: ({ secret }: Config) => ({ apiKey: secret }),
  }),
  TonplugModule.forRoot({ payments: { orders }, webhook: { secrets: 'whsec_types' } }),
  TonplugModule.forRoot({
    name: 'euros',
    path: 'webhooks/euros',
    isGlobal: true,
    network: 'testnet',
    webhook: { secrets: ['whsec_types'] },
    watcher: { commentOf: ({ buyer }) => buyer },
    payments: {
      orders,
      rules: [({ order }) => (order.buyer === '' ? { reason: 'nobody' } : undefined)],
    },
  }),
  TonplugModule.forRootAsync({ path: 'a', useClass: OptionsFactory }),
  TonplugModule.forRootAsync({ path: 'a', useExisting: OptionsFactory }),
  TonplugModule.forRootAsync({
    inject: [Config],
    useFactory: ({ secret }: Config) => ({ payments: { orders }, webhook: { secrets: secret } }),
  }),
  TonplugModule.forRootAsync({
    inject: [Config],
    useFactory: async (config: Config) => ({
      network: 'mainnet',
      payments: { orders },
      webhook: { secrets: config.secret },
    }),
  }),
]

// @ts-expect-error a webhook requires secrets
TonplugModule.forRoot({ payments: { orders }, webhook: {} })
// @ts-expect-error payments require orders
TonplugModule.forRoot({ payments: {}, webhook: { secrets: 'whsec_types' } })
// @ts-expect-error handlers are decorated methods
TonplugModule.forRoot({ payments: { orders, onPaid: () => undefined } })
// @ts-expect-error the name is an option of the module
TonplugModule.forRoot({ payments: { orders, name: 'euros' } })
// @ts-expect-error an unknown network
TonplugModule.forRoot({ network: 'tesnet', payments: { orders } })
TonplugModule.forRootAsync({
  useFactory: () => ({ payments: { orders }, webhook: { secrets: 'whsec_types' } }),
  // @ts-expect-error the name must be a string
  name: 1,
})
// @ts-expect-error a misspelled option
TonplugModule.forRoot({ apikey: 'k' })

/** The service has the types of core's client of API v2. */
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
    for await (const { fee } of this.v2.getTransactions.paginate({ address: 'EQ' })) {
      fee satisfies bigint
    }
    ;(await this.v2.request({ path: '/getSomethingNew' })) satisfies unknown
    // @ts-expect-error the address is required
    void this.v2.getAddressBalance({})
    // @ts-expect-error an unknown method
    void this.v2.getBalance
    // @ts-expect-error methods stay as they are
    this.v2.getMasterchainInfo = this.wholesale.getMasterchainInfo
  }
}

declare class Purse implements Contract {
  readonly address: Address
  getCoins(provider: ContractProvider): Promise<bigint>
}

/** Functions of core take the services as clients. */
export async function useCore(v2: V2Service, v3: V3Service, purse: Purse): Promise<void> {
  ;(await sendAndWait({ v2, v3 }, 'te6c')).hash satisfies string
  ;(await waitForMessage(v3, 'hash')).hash satisfies string
  for (const contracts of [createContracts({ v2 }), createContracts({ v3 })]) {
    ;(await contracts.open(purse).getCoins()) satisfies bigint
  }
}

/** The service has the types of core's client of API v3. */
@Injectable()
export class Chain {
  constructor(
    readonly v3: V3Service,
    @InjectV3('wholesale') readonly wholesale: V3Client,
  ) {}

  async use(): Promise<void> {
    this.v3 satisfies V3Client
    const { last } = await this.v3.masterchainInfo()
    last.seqno satisfies number
    // @ts-expect-error an unknown method
    void this.v3.getTransactions
    // @ts-expect-error methods stay as they are
    this.v3.masterchainInfo = this.wholesale.masterchainInfo
  }
}

import { Inject, Module } from '@nestjs/common'
import type { DynamicModule, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common'
import type { Order } from '@tonplug/core'
import type { TonplugInstance } from './instances.js'
import { checkAsyncOptions, checkModuleOptions } from './check-options.js'
import { logStartUp } from './payments/start-up.js'
import { ConfigurableModuleClass } from './tonplug.module-definition.js'
import type { TonplugModuleAsyncOptions, TonplugModuleOptions } from './tonplug.options.js'
import { INSTANCE } from './tonplug.tokens.js'
import { WebhookRoutes } from './webhook/webhook-routes.js'

/**
 * Accepts TON payments in a Nest app, and provides clients of the data APIs. Import it once for each instance; handlers,
 * webhook controllers and guards may be in any module.
 * @example
 * ```ts
 * @Module({
 *   imports: [
 *     TonplugModule.forRoot({
 *       path: 'webhooks/ton',
 *       apiKey: process.env.TONCENTER_KEY,
 *       payments: { orders, wallets: [process.env.SHOP_WALLET ?? ''] },
 *       webhook: { secrets: process.env.TONPAY_WEBHOOK_SECRET ?? '' },
 *     }),
 *   ],
 *   providers: [PaymentHandlers],
 * })
 * export class AppModule {}
 * ```
 */
@Module({})
export class TonplugModule
  extends ConfigurableModuleClass
  implements OnApplicationBootstrap, OnModuleDestroy
{
  constructor(
    @Inject(INSTANCE) private readonly instance: TonplugInstance | undefined,
    @Inject(WebhookRoutes) private readonly routes: WebhookRoutes,
  ) {
    super()
  }

  /**
   * Defines an instance with these options.
   * @throws {ConfigurationError} for an unknown option.
   */
  static override forRoot<O extends Order = Order>(
    options: TonplugModuleOptions<O>,
  ): DynamicModule {
    checkModuleOptions(options)
    // Rules and handlers receive orders of this repository alone, so the type of order stays with it.
    return super.forRoot(options as unknown as TonplugModuleOptions)
  }

  /**
   * Defines an instance whose options come from a factory, a class, or an existing provider.
   * @throws {ConfigurationError} for an unknown option, or one that the factory must return.
   */
  static override forRootAsync<O extends Order = Order>(
    options: TonplugModuleAsyncOptions<O>,
  ): DynamicModule {
    checkAsyncOptions(options)
    // As above.
    return super.forRootAsync(options as unknown as TonplugModuleAsyncOptions)
  }

  /** Starts payments after all modules have been initialized, so that all handlers are known. */
  onApplicationBootstrap(): void {
    if (this.instance === undefined) return
    const { payments, watcher } = this.instance
    payments.start()
    watcher?.start()
    logStartUp(this.instance, this.routes.pathsOf(this.instance))
  }

  /** Responds with 503 to new deliveries, and waits for running work. Close pools later, in `onApplicationShutdown`. */
  async onModuleDestroy(): Promise<void> {
    if (this.instance === undefined) return
    this.instance.isClosing = true
    const { payments, receiver, watcher } = this.instance
    await receiver?.close()
    await watcher?.close()
    await payments.close()
  }
}

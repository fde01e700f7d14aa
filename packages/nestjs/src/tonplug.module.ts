import { Inject, Module } from '@nestjs/common'
import type { DynamicModule, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common'
import type { Order } from '@tonplug/core'
import { checkAsyncNames, checkModuleNames } from './option-names.js'
import { ConfigurableModuleClass } from './tonplug.module-definition.js'
import type { TonplugModuleAsyncOptions, TonplugModuleOptions } from './tonplug.options.js'
import { WEBHOOK_INSTANCE } from './tonplug.tokens.js'
import { logStartUp } from './webhook/start-up.js'
import type { WebhookInstance } from './webhook/webhook-instances.js'
import { WebhookRoutes } from './webhook/webhook-routes.js'

/**
 * Takes TON payments in a Nest app, and gives it clients of the data APIs. Import it once for each instance; handlers,
 * webhook controllers and guards may stand in any module.
 * @example
 * ```ts
 * @Module({
 *   imports: [
 *     TonplugModule.forRoot({
 *       path: 'webhooks/ton',
 *       apiKey: process.env.TONCENTER_KEY,
 *       webhook: { secrets: process.env.TONPAY_WEBHOOK_SECRET ?? '', orders },
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
    @Inject(WEBHOOK_INSTANCE) private readonly instance: WebhookInstance | undefined,
    @Inject(WebhookRoutes) private readonly routes: WebhookRoutes,
  ) {
    super()
  }

  /**
   * An instance with these options.
   * @throws {ConfigurationError} for an option that does not exist.
   */
  static override forRoot<O extends Order = Order>(
    options: TonplugModuleOptions<O>,
  ): DynamicModule {
    checkModuleNames(options)
    // The receiver hands rules and handlers the orders of this same repository, so the type of order stays with it.
    return super.forRoot(options as unknown as TonplugModuleOptions)
  }

  /**
   * An instance whose options are made by a factory, a class, or a provider that exists.
   * @throws {ConfigurationError} for an option that does not exist, or that belongs into what the factory returns.
   */
  static override forRootAsync<O extends Order = Order>(
    options: TonplugModuleAsyncOptions<O>,
  ): DynamicModule {
    checkAsyncNames(options)
    // As above.
    return super.forRootAsync(options as unknown as TonplugModuleAsyncOptions)
  }

  /** Receives from here on: all modules have been initialised, and all handlers are known. */
  onApplicationBootstrap(): void {
    if (this.instance === undefined) return
    this.instance.receiver.start()
    this.instance.reconciler?.start()
    logStartUp(this.instance, this.routes.pathsOf(this.instance))
  }

  /** Answers 503 from here on, and waits for what is running. Pools are ended later, in `onApplicationShutdown`. */
  async onModuleDestroy(): Promise<void> {
    await this.instance?.reconciler?.close()
    await this.instance?.receiver.close()
  }
}

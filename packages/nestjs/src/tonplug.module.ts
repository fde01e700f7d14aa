import { setImmediate } from 'node:timers/promises'
import { ConfigurableModuleBuilder, Inject, Module } from '@nestjs/common'
import type { DynamicModule, OnApplicationBootstrap, OnModuleDestroy, Type } from '@nestjs/common'
import { ConfigurationError, type Order } from '@tonplug/core'
import { providersOf } from './instance.providers.js'
import type { TonplugInstance, TonplugInstances } from './instances.js'
import { SharedModule } from './shared.module.js'
import type {
  TonplugModuleAsyncOptions,
  TonplugModuleOptions,
  TonplugOptions,
  TonplugStaticOptions,
} from './tonplug.options.js'
import { DEFAULT_INSTANCE, INSTANCE, INSTANCES, TONPLUG_OPTIONS } from './tonplug.tokens.js'
import { WebhookController } from './webhook/webhook-controller.decorator.js'
import type { WebhookControllerOptions } from './webhook/webhook-controller.decorator.js'

const { ConfigurableModuleClass } = new ConfigurableModuleBuilder<TonplugOptions<Order>>({
  optionsInjectionToken: TONPLUG_OPTIONS,
  // Two imports with equal options are two instances, so that importing twice by mistake is noticed.
  alwaysTransient: true,
})
  .setClassMethodName('forRoot')
  .setFactoryMethodName('createTonplugOptions')
  .setExtras<TonplugStaticOptions>(
    { name: undefined, path: undefined, decorators: undefined, isGlobal: false },
    define,
  )
  .build()

/**
 * Accepts TON payments in a Nest app, and provides clients of the data APIs. Import it once for each instance; handlers and
 * webhook controllers may be in any module.
 * @example
 * ```ts
 * @Module({
 *   imports: [
 *     TonplugModule.forRoot({
 *       path: 'webhooks/ton',
 *       apiKey: process.env.TONCENTER_API_KEY,
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
    @Inject(INSTANCE) private readonly instance: TonplugInstance,
    @Inject(INSTANCES) private readonly instances: TonplugInstances,
  ) {
    super()
  }

  /**
   * Defines an instance with these options.
   * @throws {ConfigurationError} when the app starts, for a missing or invalid option.
   */
  static override forRoot<O extends Order = Order>(
    options: TonplugModuleOptions<O>,
  ): DynamicModule {
    // Rules and handlers receive orders of this repository alone, so the type of order stays with it.
    return super.forRoot(options as unknown as TonplugModuleOptions)
  }

  /**
   * Defines an instance whose options come from a factory, a class, or an existing provider.
   * @throws {ConfigurationError} when the app starts, for a missing or invalid option.
   */
  static override forRootAsync<O extends Order = Order>(
    options: TonplugModuleAsyncOptions<O>,
  ): DynamicModule {
    // As above.
    return super.forRootAsync(options as unknown as TonplugModuleAsyncOptions)
  }

  /** Starts payments after all modules have been initialized, so that all handlers are known. */
  onApplicationBootstrap(): void {
    const { payments, watcher } = this.instance
    payments?.start()
    watcher?.start()
    this.instances.logStart(this.instance)
  }

  /** Responds with 503 to new deliveries, and waits for running work. Close pools later, in `onApplicationShutdown`. */
  async onModuleDestroy(): Promise<void> {
    const { payments, receiver, watcher } = this.instance
    await receiver?.close()
    await watcher?.close()
    await payments?.close()
    // Open status streams have ended; Nest writes their end before it closes the server.
    await setImmediate()
  }
}

function define(definition: DynamicModule, given: TonplugStaticOptions): DynamicModule {
  const { name = DEFAULT_INSTANCE, path, decorators = [], isGlobal = false } = given
  const providers = providersOf(name)
  checkRoute(path, decorators)
  if (path === undefined && decorators.length > 0) {
    const problem = 'requires the option path; decorate your own @WebhookController class itself'
    throw new ConfigurationError({ option: 'decorators', problem })
  }
  return {
    ...definition,
    global: isGlobal,
    imports: [...(definition.imports ?? []), SharedModule],
    controllers: path === undefined ? [] : [createController({ path, name }, decorators)],
    providers: [...(definition.providers ?? []), ...providers],
    // Symbols are for the module itself.
    exports: providers.map(({ provide }) => provide).filter((token) => typeof token !== 'symbol'),
  }
}

/** @throws {ConfigurationError} for a path that is not one, and for decorators that are not a list of functions. */
function checkRoute(path: unknown, decorators: unknown): void {
  if (path !== undefined && (typeof path !== 'string' || path === '')) {
    const problem = "must be the path of the webhook, for example 'webhooks/ton'"
    throw new ConfigurationError({ option: 'path', problem })
  }
  if (Array.isArray(decorators) && decorators.every((one) => typeof one === 'function')) return
  const problem = 'must be a list of decorators, for example [Public()]'
  throw new ConfigurationError({ option: 'decorators', problem })
}

/** Creates a class for each module: two modules that share one would share its path too. */
function createController(
  options: WebhookControllerOptions,
  decorators: readonly MethodDecorator[],
): Type {
  class TonplugWebhookController {}
  WebhookController(options)(TonplugWebhookController)
  const { prototype } = TonplugWebhookController
  const { constructor: _class, ...methods } = Object.getOwnPropertyDescriptors(prototype)
  for (const [key, method] of Object.entries(methods)) {
    for (const decorate of decorators) decorate(prototype, key, method)
  }
  return TonplugWebhookController
}

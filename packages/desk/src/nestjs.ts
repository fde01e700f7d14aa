import { ConfigurableModuleBuilder, Inject, Module } from '@nestjs/common'
import type { DynamicModule, OnModuleInit } from '@nestjs/common'
import { ApplicationConfig, HttpAdapterHost } from '@nestjs/core'
import { ConfigurationError } from '@tonplug/core'
import { tonplugDesk } from './node.js'
import type { DeskOptions } from './options.js'

/** Options of the module itself, which a factory cannot return. */
export interface DeskModuleExtras {
  /** The path below the global prefix of the app. @default 'tonplug' */
  path?: string | undefined
}

const OPTIONS = Symbol('DeskOptions')
const PATH = Symbol('path of the desk')

const { ConfigurableModuleClass } = new ConfigurableModuleBuilder<DeskOptions>({
  optionsInjectionToken: OPTIONS,
  // Two desks are two modules, even with equal options.
  alwaysTransient: true,
})
  .setClassMethodName('forRoot')
  .setFactoryMethodName('createDeskOptions')
  .setExtras<DeskModuleExtras>({ path: 'tonplug' }, (definition, { path = 'tonplug' }) => ({
    ...definition,
    providers: [...(definition.providers ?? []), { provide: PATH, useValue: path }],
  }))
  .build()

/**
 * Adds a dashboard of payments to a Nest app, on Express and Fastify. Guards, pipes and interceptors do not apply to it:
 * `authorize` decides.
 * @example
 * ```ts
 * import { Module } from '@nestjs/common'
 * import { createPayments, memoryOrderRepository } from '@tonplug/core'
 * import { DeskModule } from '@tonplug/desk/nestjs'
 *
 * const payments = createPayments({ orders: memoryOrderRepository() })
 * const token = process.env.DESK_TOKEN ?? ''
 *
 * @Module({
 *   imports: [
 *     DeskModule.forRoot({
 *       path: 'tonplug',
 *       payments,
 *       authorize: ({ headers }) =>
 *         token !== '' && headers.get('authorization') === `Bearer ${token}` && { operator: 'support' },
 *     }),
 *   ],
 * })
 * export class AppModule {}
 * ```
 */
@Module({})
export class DeskModule extends ConfigurableModuleClass implements OnModuleInit {
  constructor(
    @Inject(OPTIONS) private readonly options: DeskOptions & DeskModuleExtras,
    @Inject(PATH) private readonly path: string,
    @Inject(HttpAdapterHost) private readonly host: HttpAdapterHost,
    @Inject(ApplicationConfig) private readonly config: ApplicationConfig,
  ) {
    super()
  }

  /**
   * Adds the desk with these options.
   * @throws {ConfigurationError} when the app starts, for a missing or invalid option.
   */
  static override forRoot(options: DeskOptions & DeskModuleExtras): DynamicModule {
    return super.forRoot(options)
  }

  /** Adds the desk before the routes of the app. */
  onModuleInit(): void {
    const { path: _path, ...options } = this.options
    const folders = [this.config.getGlobalPrefix(), this.path]
      .flatMap((path) => path.split('/'))
      .filter((name) => name !== '')
    if (folders.length === 0) {
      const problem = "must not be empty, as the desk would replace the app's routes"
      throw new ConfigurationError({ option: 'path', problem })
    }
    const desk = tonplugDesk(options)
    // Absent in an application context without a server.
    const adapter = this.host.httpAdapter as HttpAdapterHost['httpAdapter'] | null | undefined
    adapter?.use(`/${folders.join('/')}`, desk)
  }
}
export type { DeskOptions } from './options.js'

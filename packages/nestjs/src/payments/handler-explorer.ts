import { Inject, Injectable } from '@nestjs/common'
import type { OnModuleInit } from '@nestjs/common'
import { ContextIdFactory, ModuleRef, type DiscoveryService } from '@nestjs/core'
import type { Handler } from '@tonplug/core'
import { fromEvent, isObservable, lastValueFrom, takeUntil } from 'rxjs'
import type { TonplugInstances } from '../instances.js'
import { NEST_CORE, type NestCore } from '../nest-core.js'
import { INSTANCES } from '../tonplug.tokens.js'
import { readControllerInstance } from '../webhook/webhook-controller.decorator.js'
import { handlerPrototypes, readHandlers } from './handlers.decorators.js'

/** A provider or controller, as Nest's discovery returns it. */
type Wrapper = ReturnType<DiscoveryService['getProviders']>[number]

/** Checks the instances that classes name, and registers the handlers of all providers and controllers. */
@Injectable()
export class HandlerExplorer implements OnModuleInit {
  constructor(
    @Inject(NEST_CORE) private readonly core: NestCore,
    @Inject(INSTANCES) private readonly instances: TonplugInstances,
  ) {}

  /** @throws {ConfigurationError} for an unknown instance, one without a webhook, and a handler that two modules provide. */
  onModuleInit(): void {
    const { discovery } = this.core
    const wrappers = [...discovery.getProviders(), ...discovery.getControllers()]
    for (const { metatype } of wrappers) {
      const route = metatype ? readControllerInstance(metatype) : undefined
      if (route !== undefined) this.instances.get('receiver', route).hasRoute = true
    }
    // One object may be provided under several tokens.
    const seen = new Set<unknown>()
    const found: object[] = []
    const factories: string[] = []
    for (const wrapper of wrappers) {
      const isSingleton = wrapper.isDependencyTreeStatic() && !wrapper.isTransient
      const source: unknown = isSingleton ? wrapper.instance : wrapper
      if (wrapper.isAlias || seen.has(source) || !isObject(source)) continue
      seen.add(source)
      const prototype: unknown = isSingleton ? Object.getPrototypeOf(source) : prototypeIn(wrapper)
      const find = isSingleton ? () => source : (event: object) => resolve(wrapper, event)
      if (isObject(prototype)) {
        found.push(prototype)
        this.addHandlers(prototype, find)
      }
      if (!isSingleton && mayHide(wrapper, prototype)) factories.push(String(wrapper.name))
    }
    if (factories.length > 0) this.warnAboutHidden(found, factories)
  }

  /** Warns about decorated classes that are not provided, since one of the factories may create them. */
  private warnAboutHidden(found: readonly object[], factories: string[]): void {
    for (const prototype of handlerPrototypes) {
      if (found.some((one) => one === prototype || prototype.isPrototypeOf(one))) continue
      const fields = { handlers: prototype.constructor.name, factories }
      this.instances.warn('handlers not found; provide their factory by their class', fields)
    }
  }

  /** @param find returns the object that handles an event. */
  private addHandlers(prototype: object, find: (event: object) => unknown): void {
    const { constructor: owner } = prototype
    for (const { event, method, name } of readHandlers(prototype)) {
      const { payments, handlers } = this.instances.get(
        'payments',
        name ?? readControllerInstance(owner),
      )
      const run: Handler<object> = async (payload, context) => {
        // The decorator has checked the method. If a factory returns another object, this throws, and the run is retried.
        const target = (await find(payload)) as Record<string, Handler<object>>
        const returned: unknown = await target[method]!(payload, context)
        if (!isObservable(returned)) return
        // A run that is aborted before or after this has failed.
        context.signal.throwIfAborted()
        const aborted = fromEvent(context.signal, 'abort')
        await lastValueFrom(returned.pipe(takeUntil(aborted)), { defaultValue: undefined })
        // Cut off, the Observable has completed without its work.
        context.signal.throwIfAborted()
      }
      const handler = `${owner.name}.${method}`
      payments.addHandler(event, run, { name: handler })
      handlers.push(`${event}.${handler}`)
    }
  }
}

/** Returns true for a request-scoped factory that may return an object of a class with handlers that is not its token. */
function mayHide({ inject, host }: Wrapper, prototype: unknown): boolean {
  // Nest's own module has two such factories, for REQUEST and INQUIRER.
  if (!inject || host?.metatype?.name === 'InternalCoreModule') return false
  return !isObject(prototype) || readHandlers(prototype).length === 0
}

/** Returns the prototype of what a provider that is not a singleton creates. The class of a factory's result is its token. */
function prototypeIn({ inject, token, metatype }: Wrapper): unknown {
  const type: unknown = inject ? token : metatype
  return typeof type === 'function' ? type.prototype : undefined
}

/** Creates an object for one run, with the event as its `REQUEST`. */
async function resolve({ host, token }: Wrapper, event: object): Promise<object> {
  // Each module has one.
  const moduleRef = host?.providers.get(ModuleRef)?.instance as ModuleRef
  const contextId = ContextIdFactory.create()
  moduleRef.registerRequestByContextId(event, contextId)
  return moduleRef.resolve<object>(token, contextId, { strict: true })
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

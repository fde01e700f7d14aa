import { Inject, Injectable } from '@nestjs/common'
import type { OnModuleInit } from '@nestjs/common'
import { ContextIdFactory, DiscoveryService, MetadataScanner, ModuleRef } from '@nestjs/core'
import { ConfigurationError } from '@tonplug/core'
import type { Handler } from '@tonplug/core'
import { fromEvent, isObservable, lastValueFrom, takeUntil } from 'rxjs'
import type { Observable } from 'rxjs'
import { INSTANCES } from '../tonplug.tokens.js'
import { handlerPrototypes, readHandledEvents } from './handlers.decorators.js'
import { readControllerInstance } from '../webhook/webhook-controller.decorator.js'
import type { TonplugInstances } from '../instances.js'

/** A provider or controller, as Nest's discovery returns it. */
type Wrapper = ReturnType<DiscoveryService['getProviders']>[number]

/** An object with handlers, or a function that creates one. */
interface HandlerSource {
  prototype: object
  /** The object, if it is a singleton. */
  instance?: object
  /** Returns the object for one event. */
  find: (event: object) => object | Promise<object>
}

/** Registers the decorated methods of all providers and controllers with their payments. */
@Injectable()
export class HandlerExplorer implements OnModuleInit {
  private readonly seen = new Set<object>()

  constructor(
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(MetadataScanner) private readonly scanner: MetadataScanner,
    @Inject(INSTANCES) private readonly instances: TonplugInstances,
  ) {}

  /** @throws {ConfigurationError} for a handler or a route of an unknown instance, and for a handler that two modules provide. */
  onModuleInit(): void {
    for (const { metatype } of this.discovery.getControllers()) {
      const name = metatype ? readControllerInstance(metatype) : undefined
      if (name !== undefined) this.instances.routed.add(name)
    }
    for (const name of this.instances.routed) this.instances.getReceiving(name)
    const explored: object[] = []
    const hidden: Wrapper[] = []
    for (const wrapper of [...this.discovery.getProviders(), ...this.discovery.getControllers()]) {
      if (wrapper.isAlias) continue
      const source = findSource(wrapper)
      if (source === 'hidden') hidden.push(wrapper)
      if (typeof source !== 'object') continue
      explored.push(source.prototype)
      if (!this.isSeen(source)) this.addHandlers(source)
    }
    if (hidden.length > 0) this.warnAboutUnknownHandlers(explored, hidden)
  }

  /** One object may be provided under several tokens. */
  private isSeen({ instance }: HandlerSource): boolean {
    if (instance === undefined) return false
    const isSeen = this.seen.has(instance)
    this.seen.add(instance)
    return isSeen
  }

  private addHandlers({ prototype, find }: HandlerSource): void {
    const { constructor: owner } = prototype
    for (const method of this.scanner.getAllMethodNames(prototype)) {
      for (const { event, name } of readHandledEvents(prototype, method)) {
        const instance = this.instances.get(name ?? readControllerInstance(owner))
        const handler = `${owner.name}.${method}`
        const run: Handler<object> = async (payload, context) => {
          // The decorator has checked the type of the method; a factory may return any object.
          const target = (await find(payload)) as Partial<Record<string, Handler<object>>>
          const handle = target[method]
          if (typeof handle !== 'function') {
            const problem = `is missing from the object that the request-scoped factory of ${owner.name} returned; return a ${owner.name}`
            throw new ConfigurationError({ option: handler, problem })
          }
          const returned: unknown = await handle.call(target, payload, context)
          if (isObservable(returned)) await waitForCompletion(returned, context.signal)
        }
        instance.payments.addHandler(event, run, { name: handler })
        instance.handlers.push(`${event}.${handler}`)
      }
    }
  }

  /** The class of an object that a request-scoped factory creates is unknown, unless it is the factory's token. */
  private warnAboutUnknownHandlers(explored: readonly object[], hidden: readonly Wrapper[]): void {
    const missing = [...handlerPrototypes].filter(
      (prototype) => !explored.some((one) => one === prototype || prototype.isPrototypeOf(one)),
    )
    const factories = hidden.map(({ name }) => String(name))
    for (const { constructor } of missing) {
      this.instances.log(
        'warn',
        'handlers not found; provide their request-scoped factory by class',
        {
          handlers: constructor.name,
          factories,
          provider: `{ provide: ${constructor.name}, scope, useFactory }`,
        },
      )
    }
  }
}

/** Subscribes to the result of a handler and waits until it completes. An aborted run has failed. */
async function waitForCompletion(work: Observable<unknown>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const aborted = fromEvent(signal, 'abort')
  await lastValueFrom(work.pipe(takeUntil(aborted)), { defaultValue: undefined })
  signal.throwIfAborted()
}

/** Returns `hidden` for a provider whose class is unknown; it may have handlers. */
function findSource(wrapper: Wrapper): HandlerSource | 'hidden' | undefined {
  if (wrapper.isDependencyTreeStatic() && !wrapper.isTransient) {
    const instance: unknown = wrapper.instance
    if (typeof instance !== 'object' || instance === null) return undefined
    const prototype: unknown = Object.getPrototypeOf(instance)
    return isObject(prototype) ? { prototype, instance, find: () => instance } : undefined
  }
  const type: unknown = wrapper.inject ? wrapper.token : wrapper.metatype
  if (typeof type !== 'function' || !isObject(type.prototype)) {
    // Nest's own module has two such factories, for REQUEST and INQUIRER.
    return wrapper.host?.metatype?.name === 'InternalCoreModule' ? undefined : 'hidden'
  }
  // The factory may return an object of a subclass with handlers.
  if (wrapper.inject && !hasHandlers(type.prototype)) return 'hidden'
  return { prototype: type.prototype, find: (event) => resolve(wrapper, event) }
}

function hasHandlers(prototype: object): boolean {
  return [...handlerPrototypes].some((one) => one === prototype || one.isPrototypeOf(prototype))
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

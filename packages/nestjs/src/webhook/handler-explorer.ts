import { Inject, Injectable } from '@nestjs/common'
import type { OnModuleInit } from '@nestjs/common'
import { ContextIdFactory, DiscoveryService, MetadataScanner, ModuleRef } from '@nestjs/core'
import { ConfigurationError } from '@tonplug/core'
import type { Handler } from '@tonplug/core'
import { fromEvent, isObservable, lastValueFrom, takeUntil } from 'rxjs'
import type { Observable } from 'rxjs'
import { WEBHOOK_INSTANCES } from '../tonplug.tokens.js'
import { handlerPrototypes, readHandledEvents } from './handlers.decorators.js'
import { readControllerInstance } from './webhook-controller.decorator.js'
import type { WebhookInstances } from './webhook-instances.js'
import type { Wrapper } from './webhook-routes.js'

/** An object with methods, or how to make one. */
interface HandlerSource {
  prototype: object
  /** The object itself, when there is only one. */
  instance?: object
  /** Finds or makes the object for one event. */
  find: (event: object) => object | Promise<object>
}

/** Registers the decorated methods of all providers and controllers with their receivers. */
@Injectable()
export class HandlerExplorer implements OnModuleInit {
  private readonly seen = new Set<object>()
  /** Which module a handler was found in, by instance and handler. */
  private readonly modules = new Map<string, string>()
  /** The prototypes of what handles an event, by instance, event and method. */
  private readonly owners = new Map<string, object[]>()

  constructor(
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(MetadataScanner) private readonly scanner: MetadataScanner,
    @Inject(WEBHOOK_INSTANCES) private readonly instances: WebhookInstances,
  ) {}

  /** @throws {ConfigurationError} for a handler of an unknown instance, and for one that is there twice. */
  onModuleInit(): void {
    const explored: object[] = []
    const hidden: Wrapper[] = []
    for (const wrapper of [...this.discovery.getProviders(), ...this.discovery.getControllers()]) {
      if (wrapper.isAlias) continue
      const source = findSource(wrapper)
      if (source === 'hidden') hidden.push(wrapper)
      if (typeof source !== 'object') continue
      explored.push(source.prototype)
      if (!this.isSeen(source)) this.addHandlers(wrapper, source)
    }
    if (hidden.length > 0) this.warnOfUnfound(explored, hidden)
  }

  /** One object may stand under several tokens. */
  private isSeen({ instance }: HandlerSource): boolean {
    if (instance === undefined) return false
    const isSeen = this.seen.has(instance)
    this.seen.add(instance)
    return isSeen
  }

  private addHandlers({ host }: Wrapper, { prototype, find }: HandlerSource): void {
    const { constructor: owner } = prototype
    for (const method of this.scanner.getAllMethodNames(prototype)) {
      for (const { event, name } of readHandledEvents(prototype, method)) {
        const instance = this.instances.get(name ?? readControllerInstance(owner))
        const handler = `${owner.name}.${method}`
        this.claim(`${instance.name} ${event} ${handler}`, handler, host?.metatype?.name)
        this.warnOfHeir(`${instance.name} ${event} ${method}`, prototype, method)
        const run: Handler<object> = async (payload, context) => {
          // The decorator has checked that the method takes such an event; a factory may make anything.
          const target = (await find(payload)) as Partial<Record<string, Handler<object>>>
          const handle = target[method]
          if (typeof handle !== 'function') throw withoutMethod(handler, owner.name)
          const returned: unknown = await handle.call(target, payload, context)
          if (isObservable(returned)) await runToEnd(returned, context.signal)
        }
        instance.receiver.addHandler(event, run, { name: handler })
        instance.handlers.push(`${event}.${handler}`)
      }
    }
  }

  private claim(key: string, handler: string, module = 'a module'): void {
    const other = this.modules.get(key)
    if (other !== undefined) {
      throw new ConfigurationError({
        option: handler,
        problem: `is provided in ${other} and in ${module}, and would run twice for each payment. Provide the class once and export it; or, if these are two classes, give them different names`,
      })
    }
    this.modules.set(key, module)
  }

  /** A class and one that inherits the method may both be meant to run it, but seldom are. */
  private warnOfHeir(key: string, prototype: object, method: string): void {
    const others = this.owners.get(key) ?? []
    this.owners.set(key, [...others, prototype])
    for (const other of others) {
      const [base, heir] = other.isPrototypeOf(prototype) ? [other, prototype] : [prototype, other]
      if (!base.isPrototypeOf(heir) || Object.hasOwn(heir, method)) continue
      this.instances.warn(
        `${base.constructor.name}.${method} runs twice for each event: ${heir.constructor.name}, which extends ${base.constructor.name}, inherits it, and both are provided. If it is to run once, provide ${heir.constructor.name} alone`,
      )
    }
  }

  /** Nobody can look into what a request-scoped factory makes, unless its token is the class. */
  private warnOfUnfound(explored: readonly object[], hidden: readonly Wrapper[]): void {
    const unfound = [...handlerPrototypes].filter(
      (prototype) => !explored.some((one) => one === prototype || prototype.isPrototypeOf(one)),
    )
    const tokens = hidden.map(({ name }) => String(name)).join(', ')
    for (const { constructor } of unfound) {
      this.instances.warn(
        `${constructor.name} has handlers and is no provider that could be found. If a request-scoped factory makes it (${tokens}), provide it under its class: { provide: ${constructor.name}, scope, useFactory }`,
      )
    }
  }
}

function withoutMethod(handler: string, owner: string): ConfigurationError {
  return new ConfigurationError({
    option: handler,
    problem: `is no method of what the request-scoped factory of ${owner} has made; have it return a ${owner}`,
  })
}

/** Nothing happens in most Observables until somebody subscribes. What is cut off by the signal has failed. */
async function runToEnd(work: Observable<unknown>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const aborted = fromEvent(signal, 'abort')
  await lastValueFrom(work.pipe(takeUntil(aborted)), { defaultValue: undefined })
  signal.throwIfAborted()
}

/** `hidden`: handlers may be there and nobody can tell. */
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
  // A factory may make an heir of the class, which has the handlers.
  if (wrapper.inject && !hasHandlers(type.prototype)) return 'hidden'
  return { prototype: type.prototype, find: (event) => resolve(wrapper, event) }
}

function hasHandlers(prototype: object): boolean {
  return [...handlerPrototypes].some((one) => one === prototype || one.isPrototypeOf(prototype))
}

/** A new object for each run, with the event as its `REQUEST`. */
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

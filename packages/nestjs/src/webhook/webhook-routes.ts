import 'reflect-metadata'
import type { IncomingMessage } from 'node:http'
import { Inject, Injectable, RequestMethod } from '@nestjs/common'
import type { OnModuleInit } from '@nestjs/common'
import {
  ApplicationConfig,
  DiscoveryService,
  HttpAdapterHost,
  MetadataScanner,
  ModulesContainer,
} from '@nestjs/core'
import { ConfigurationError } from '@tonplug/core'
import { INSTANCES } from '../tonplug.tokens.js'
import { createPathMatcher, isAtPath } from './path-matcher.js'
import type { PathMatcher } from './path-matcher.js'
import { isUnread } from './platform-request.js'
import { fullPathsOf, hostAndVersionOf, requestMethodOf } from './route-paths.js'
import type { PathConfig } from './route-paths.js'
import { findGuardedInstance } from './signature.guard.js'
import { isReceiveMethod, readControllerInstance } from './webhook-controller.decorator.js'
import type { ReceivingInstance, TonplugInstance, TonplugInstances } from '../instances.js'

/** A provider or controller, as Nest's discovery returns it. */
export type Wrapper = ReturnType<DiscoveryService['getProviders']>[number]

/** A route that receives deliveries. */
interface WebhookRoute {
  instance: ReceivingInstance
  /** `Class.method` */
  owner: string
  /** The path in this app, without the prefix of an outer app. */
  path: string
  matcher: PathMatcher
}

/** A Fastify app. */
interface FastifyPlugin {
  /** The prefix of a plugin in an outer app; Fastify adds it to the routes. */
  prefix: string
}

/** Finds the routes that receive deliveries: those of `@WebhookController`, and `@Post()` routes with `SignatureGuard`. */
@Injectable()
export class WebhookRoutes implements OnModuleInit {
  private readonly routes: WebhookRoute[] = []
  /** The routes, most specific first. */
  private ranked: WebhookRoute[] = []
  private readonly byPlace = new Map<string, WebhookRoute>()
  /** The first route of each path, whatever its host and version. */
  private readonly byPath = new Map<string, WebhookRoute>()

  constructor(
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(MetadataScanner) private readonly scanner: MetadataScanner,
    @Inject(INSTANCES) private readonly instances: TonplugInstances,
    @Inject(ApplicationConfig) private readonly config: ApplicationConfig,
    @Inject(ModulesContainer) private readonly modules: ModulesContainer,
    @Inject(HttpAdapterHost) private readonly adapterHost: HttpAdapterHost,
  ) {}

  /**
   * Collects the routes. Nest has registered them before, so prefix and versions are final.
   * @throws {ConfigurationError} when two routes have one path, a method precedes the webhook of its class, or the instance of
   * a route does not exist.
   */
  onModuleInit(): void {
    for (const wrapper of this.discovery.getControllers()) {
      // Controllers are classes.
      const controller = wrapper.metatype as { prototype: object }
      const methods = this.scanner.getAllMethodNames(controller.prototype)
      for (const method of methods) this.addRoutes(wrapper, method)
      const receive = methods.findIndex((method) => isReceiveMethod(controller, method))
      for (const method of methods.slice(0, Math.max(0, receive)))
        this.rejectPrecedingMethod(wrapper, method)
    }
    this.ranked = this.routes.toSorted(
      ({ matcher: one }, { matcher: other }) =>
        Number(one.isOpen) - Number(other.isOpen) || other.literals - one.literals,
    )
  }

  /** Returns the instance whose route matches the path of a signed, unread request. */
  find(request: IncomingMessage): ReceivingInstance | undefined {
    const { method, url = '', headers } = request
    if (method !== 'POST' || !isUnread(request)) return undefined
    const isSigned = ({ instance }: WebhookRoute): boolean =>
      instance.receiver.signatureHeaders.some((name) => name in headers)
    const route =
      this.ranked.find((one) => isAtPath(url, one.path) && isSigned(one)) ??
      this.ranked.find((one) => isSigned(one) && one.matcher.matches(url))
    return route?.instance
  }

  /** Returns the paths of an instance's webhook routes. */
  pathsOf(instance: TonplugInstance): string[] {
    return this.routes.filter((route) => route.instance === instance).map(({ path }) => path)
  }

  private addRoutes(wrapper: Wrapper, method: string): void {
    const { controller, handler, owner, places } = this.readMethod(wrapper, method)
    const name = isReceiveMethod(controller, method)
      ? readControllerInstance(controller)
      : findGuardedInstance([...guardsOf(controller), ...guardsOf(handler)])
    if (name === undefined || places.length === 0) return
    const instance = this.instances.getReceiving(name)
    for (const { path, pathKey, place } of places) {
      const route = { instance, owner, path, matcher: createPathMatcher(path) }
      this.claim(place, route)
      this.rejectTwoInstances(pathKey, route)
      this.routes.push(route)
    }
  }

  /** A method of the class precedes the one that the decorator adds, so Nest would call it instead. */
  private rejectPrecedingMethod(wrapper: Wrapper, method: string): void {
    const { owner, places } = this.readMethod(wrapper, method)
    for (const { path, place } of places) {
      const webhook = this.byPlace.get(place)
      if (webhook === undefined || webhook.owner === owner) continue
      throw new ConfigurationError({
        option: owner,
        problem: `has the same route as ${webhook.owner}, POST ${path}, and would run instead of it. Handle payments in a method decorated with @OnTransferPaid(), or use another path`,
      })
    }
  }

  private claim(place: string, route: WebhookRoute): void {
    const other = this.byPlace.get(place)
    if (other !== undefined) {
      const reason =
        other.path === route.path ? '' : `, because Express treats ${other.path} as the same path`
      throw new ConfigurationError({
        option: route.path,
        problem: `is the webhook path of both ${describe(other)} and ${describe(route)}${reason}. Use a different path for each, or remove one`,
      })
    }
    this.byPlace.set(place, route)
  }

  /**
   * The body is read before Nest compares host and version, so the path must determine the instance and its limits.
   * @throws {ConfigurationError} when another instance has a route on this path.
   */
  private rejectTwoInstances(pathKey: string, route: WebhookRoute): void {
    const other = this.byPath.get(pathKey)
    if (other === undefined) this.byPath.set(pathKey, route)
    if (other === undefined || other.instance === route.instance) return
    throw new ConfigurationError({
      option: route.path,
      problem: `is the webhook path of two instances, ${describe(other)} and ${describe(route)}. Host and version cannot separate instances, because the body is read before Nest compares them. Use a different path for each instance`,
    })
  }

  /** Returns a method of a controller with its POST routes. */
  private readMethod(wrapper: Wrapper, method: string) {
    // Controllers are classes.
    const controller = wrapper.metatype as { name: string; prototype: Record<string, object> }
    const handler = controller.prototype[method] ?? {}
    const source = { module: wrapper.host?.metatype ?? {}, controller, method: handler }
    const { ignoresCase, ...pathConfig } = this.readPathConfig()
    const mapped = requestMethodOf(source)
    const isPost = mapped === RequestMethod.POST || mapped === RequestMethod.ALL
    const places = (isPost ? fullPathsOf(source, pathConfig) : []).map((path) => {
      const matched = ignoresCase ? path.toLowerCase() : path
      const place = JSON.stringify([matched, ...hostAndVersionOf(source, this.config)])
      return { path, pathKey: withoutParameterNames(matched), place }
    })
    return { controller, handler, owner: `${controller.name}.${method}`, places }
  }

  private readPathConfig(): PathConfig & { ignoresCase: boolean } {
    // Absent without an HTTP server.
    const adapter = this.adapterHost.httpAdapter as HttpAdapterHost['httpAdapter'] | undefined
    const type: string | undefined = adapter?.getType()
    return {
      config: this.config,
      applicationId: this.modules.applicationId,
      pluginPrefix: type === 'fastify' ? (adapter?.getInstance<FastifyPlugin>().prefix ?? '') : '',
      ignoresCase: type === 'express',
    }
  }
}

/** Returns equal keys for paths that match the same requests, for example `/webhooks/:shop` and `/webhooks/:merchant`. */
function withoutParameterNames(path: string): string {
  return path.replace(/:\w+/g, ':')
}

/** Includes the instance, because all controllers that modules create have the same class name. */
function describe({ owner, instance }: WebhookRoute): string {
  return `${owner} of '${instance.name}'`
}

function guardsOf(target: object): readonly unknown[] {
  return (Reflect.getMetadata('__guards__', target) as unknown[] | undefined) ?? []
}

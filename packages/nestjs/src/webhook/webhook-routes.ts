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
import { WEBHOOK_INSTANCES } from '../tonplug.tokens.js'
import { createPathMatcher, isAtPath } from './path-matcher.js'
import type { PathMatcher } from './path-matcher.js'
import { isUnread } from './platform-request.js'
import { fullPathsOf, requestMethodOf, restOfPlace } from './route-paths.js'
import type { PathSetUp } from './route-paths.js'
import { findGuardedInstance } from './signature.guard.js'
import { isReceiveMethod, readControllerInstance } from './webhook-controller.decorator.js'
import type { WebhookInstance, WebhookInstances } from './webhook-instances.js'

/** A wrapped class, as Nest's discovery hands it out. */
export type Wrapper = ReturnType<DiscoveryService['getProviders']>[number]

/** A route that takes deliveries. */
interface WebhookRoute {
  instance: WebhookInstance
  /** `Class.method` */
  owner: string
  /** In this app: one that it is mounted in takes its own part off. */
  path: string
  matcher: PathMatcher
}

/** A Fastify app. */
interface FastifyPlugin {
  /** Under which a plugin is registered in another app; Fastify puts it in front of the routes itself. */
  prefix: string
}

/** Finds the routes that take deliveries: by `@WebhookController`, or by `SignatureGuard` on a `@Post()`. */
@Injectable()
export class WebhookRoutes implements OnModuleInit {
  private readonly routes: WebhookRoute[] = []
  /** Those that tell the most about their URLs come first. */
  private ranked: WebhookRoute[] = []
  private readonly byPlace = new Map<string, WebhookRoute>()

  constructor(
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(MetadataScanner) private readonly scanner: MetadataScanner,
    @Inject(WEBHOOK_INSTANCES) private readonly instances: WebhookInstances,
    @Inject(ApplicationConfig) private readonly config: ApplicationConfig,
    @Inject(ModulesContainer) private readonly modules: ModulesContainer,
    @Inject(HttpAdapterHost) private readonly adapterHost: HttpAdapterHost,
  ) {}

  /**
   * Nest has registered the routes by now, so prefix and versions are what they stay.
   * @throws {ConfigurationError} when two routes are on one path, a method is in the way of its class's, or a route's instance does not exist.
   */
  onModuleInit(): void {
    for (const wrapper of this.discovery.getControllers()) {
      // Controllers are classes.
      const controller = wrapper.metatype as { prototype: object }
      const methods = this.scanner.getAllMethodNames(controller.prototype)
      for (const method of methods) this.addRoutes(wrapper, method)
      const receive = methods.findIndex((method) => isReceiveMethod(controller, method))
      for (const method of methods.slice(0, Math.max(0, receive)))
        this.refuseOvertaking(wrapper, method)
    }
    this.ranked = this.routes.toSorted(
      ({ matcher: one }, { matcher: other }) =>
        Number(one.isOpen) - Number(other.isOpen) || other.known - one.known,
    )
  }

  /** The instance whose route a signed, unread request is for, as far as its path tells. */
  find(request: IncomingMessage): WebhookInstance | undefined {
    const { method, url = '', headers } = request
    if (method !== 'POST' || !isUnread(request)) return undefined
    const isSigned = ({ instance }: WebhookRoute): boolean =>
      instance.receiver.signatureHeaders.some((name) => name in headers)
    const route =
      this.ranked.find((one) => isAtPath(url, one.path) && isSigned(one)) ??
      this.ranked.find((one) => isSigned(one) && one.matcher.matches(url))
    return route?.instance
  }

  /** The paths at which an instance takes deliveries. */
  pathsOf(instance: WebhookInstance): string[] {
    return this.routes.filter((route) => route.instance === instance).map(({ path }) => path)
  }

  private addRoutes(wrapper: Wrapper, method: string): void {
    const { controller, handler, owner, places } = this.readMethod(wrapper, method)
    const name = isReceiveMethod(controller, method)
      ? readControllerInstance(controller)
      : findGuardedInstance([...guardsOf(controller), ...guardsOf(handler)])
    if (name === undefined || places.length === 0) return
    const instance = this.instances.get(name)
    for (const { path, place } of places) {
      const route = { instance, owner, path, matcher: createPathMatcher(path) }
      this.claim(place, route)
      this.routes.push(route)
    }
  }

  /** A plain method of a class stands before the one that the decorator has added, and would be called in its place. */
  private refuseOvertaking(wrapper: Wrapper, method: string): void {
    const { owner, places } = this.readMethod(wrapper, method)
    for (const { path, place } of places) {
      const webhook = this.byPlace.get(place)
      if (webhook === undefined || webhook.owner === owner) continue
      throw new ConfigurationError({
        option: owner,
        problem: `answers POST ${path} in place of ${webhook.owner}, and nothing would be recorded. What has to happen for a payment belongs into a method with @OnTransferPaid(); anything else needs a path of its own`,
      })
    }
  }

  private claim(place: string, route: WebhookRoute): void {
    const other = this.byPlace.get(place)
    if (other !== undefined) {
      const same =
        other.path === route.path ? '' : `, since Express takes ${other.path} for the same`
      throw new ConfigurationError({
        option: route.path,
        problem: `is the webhook path of both ${describe(other)} and ${describe(route)}${same}, so that one would never be reached. Give each a path of its own, or remove one`,
      })
    }
    this.byPlace.set(place, route)
  }

  /** A method of a controller, with the places at which it answers POST. */
  private readMethod(wrapper: Wrapper, method: string) {
    // Controllers are classes.
    const controller = wrapper.metatype as { name: string; prototype: Record<string, object> }
    const handler = controller.prototype[method] ?? {}
    const source = { module: wrapper.host?.metatype ?? {}, controller, method: handler }
    const { ignoresCase, ...setUp } = this.readSetUp()
    const mapped = requestMethodOf(source)
    const isPost = mapped === RequestMethod.POST || mapped === RequestMethod.ALL
    const places = (isPost ? fullPathsOf(source, setUp) : []).map((path) => {
      const rest = restOfPlace(source, this.config)
      return { path, place: JSON.stringify([ignoresCase ? path.toLowerCase() : path, ...rest]) }
    })
    return { controller, handler, owner: `${controller.name}.${method}`, places }
  }

  private readSetUp(): PathSetUp & { ignoresCase: boolean } {
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

/** With the instance: the classes that a module makes for its path have one name. */
function describe({ owner, instance }: WebhookRoute): string {
  return `${owner} of '${instance.name}'`
}

function guardsOf(target: object): readonly unknown[] {
  return (Reflect.getMetadata('__guards__', target) as unknown[] | undefined) ?? []
}

import 'reflect-metadata'
import type { IncomingMessage } from 'node:http'
import { Inject, Injectable, RequestMethod } from '@nestjs/common'
import type { OnModuleInit } from '@nestjs/common'
import { ApplicationConfig, DiscoveryService, MetadataScanner } from '@nestjs/core'
import { ConfigurationError } from '@tonplug/core'
import { WEBHOOK_INSTANCES } from '../tonplug.tokens.js'
import { createPathMatcher } from './path-matcher.js'
import type { PathMatcher } from './path-matcher.js'
import { isUnread } from './platform-request.js'
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
  /** Of controller and method, as decorated; Nest puts prefixes and versions in front. */
  path: string
  matches: PathMatcher
}

/** Finds the routes that take deliveries: by `@WebhookController`, or by `SignatureGuard` on a `@Post()`. */
@Injectable()
export class WebhookRoutes implements OnModuleInit {
  private readonly routes: WebhookRoute[] = []
  private readonly byPlace = new Map<string, WebhookRoute>()

  constructor(
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(MetadataScanner) private readonly scanner: MetadataScanner,
    @Inject(WEBHOOK_INSTANCES) private readonly instances: WebhookInstances,
    @Inject(ApplicationConfig) private readonly config: ApplicationConfig,
  ) {}

  /** @throws {ConfigurationError} when two routes are on one path, a method is in the way of its class's, or a route's instance does not exist. */
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
  }

  /** The instance whose route a signed, unread request is for, as far as its path tells. */
  find(request: IncomingMessage): WebhookInstance | undefined {
    const { method, url = '', headers } = request
    if (method !== 'POST' || !isUnread(request)) return undefined
    return this.routes.find(
      ({ instance, matches }) =>
        instance.receiver.signatureHeaders.some((name) => name in headers) && matches(url),
    )?.instance
  }

  /** The paths at which an instance takes deliveries, with the app's prefix, without versions. */
  pathsOf(instance: WebhookInstance): string[] {
    return this.routes
      .filter((route) => route.instance === instance)
      .map(({ path }) => this.withGlobalPrefix(path))
  }

  private withGlobalPrefix(path: string): string {
    const { exclude = [] } = this.config.getGlobalPrefixOptions()
    if (exclude.some(({ pathRegex }) => pathRegex.test(path))) return path
    return joinPaths([this.config.getGlobalPrefix()], [path]).join()
  }

  private addRoutes(wrapper: Wrapper, method: string): void {
    const { controller, handler, owner, places } = readMethod(wrapper, method)
    const name = isReceiveMethod(controller, method)
      ? readControllerInstance(controller)
      : findGuardedInstance([...guardsOf(controller), ...guardsOf(handler)])
    if (name === undefined || places.length === 0) return
    const instance = this.instances.get(name)
    for (const { path, place } of places) {
      const route = { instance, owner, path, matches: createPathMatcher(path) }
      this.claim(place, route)
      this.routes.push(route)
    }
  }

  /** A plain method of a class stands before the one that the decorator has added, and would be called in its place. */
  private refuseOvertaking(wrapper: Wrapper, method: string): void {
    const { owner, places } = readMethod(wrapper, method)
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
      throw new ConfigurationError({
        option: route.path,
        problem: `is the webhook path of both ${describe(other)} and ${describe(route)}, so that one would never be reached. Give each a path of its own, or remove one`,
      })
    }
    this.byPlace.set(place, route)
  }
}

/** With the instance: the classes that a module makes for its path have one name. */
function describe({ owner, instance }: WebhookRoute): string {
  return `${owner} of '${instance.name}'`
}

/** A method of a controller, with the places at which it answers POST. */
function readMethod(wrapper: Wrapper, method: string) {
  // Controllers are classes.
  const controller = wrapper.metatype as { name: string; prototype: Record<string, object> }
  const handler = controller.prototype[method] ?? {}
  const mapped: unknown = Reflect.getMetadata('method', handler)
  const isPost = mapped === RequestMethod.POST || mapped === RequestMethod.ALL
  const paths = isPost ? joinPaths(pathsOf(controller), pathsOf(handler)) : []
  const places = paths.map((path) => ({
    path,
    place: JSON.stringify([path, ...placeOf(wrapper, handler)]),
  }))
  return { controller, handler, owner: `${controller.name}.${method}`, places }
}

// The keys under which Nest's decorators keep their facts; the same in all majors, and exported in none of them.

function guardsOf(target: object): readonly unknown[] {
  return (Reflect.getMetadata('__guards__', target) as unknown[] | undefined) ?? []
}

function pathsOf(target: object): string[] {
  return [(Reflect.getMetadata('path', target) as string | string[] | undefined) ?? ''].flat()
}

/** What else tells routes of one path apart: host, version, and the prefix that RouterModule gives a module. */
function placeOf({ metatype, host }: Wrapper, handler: object): unknown[] {
  // Controllers are classes.
  const controller = metatype as object
  const hostModule: object = host?.metatype ?? {}
  const prefixes = Reflect.getMetadataKeys(hostModule)
    .filter((key) => String(key).startsWith('__module_path__'))
    .map((key): unknown => Reflect.getMetadata(key, hostModule))
  const version: unknown =
    Reflect.getMetadata('__version__', handler) ?? Reflect.getMetadata('__version__', controller)
  return [Reflect.getMetadata('host', controller), String(version), prefixes]
}

function joinPaths(ofController: string[], ofMethod: string[]): string[] {
  return ofController.flatMap((first) =>
    ofMethod.map((second) => `/${[first, second].join('/').split('/').filter(Boolean).join('/')}`),
  )
}

import 'reflect-metadata'
import {
  Controller,
  Delete,
  Get,
  HttpCode,
  Inject,
  Options,
  Patch,
  Post,
  Put,
  Req,
  RequestMethod,
  Res,
  VERSION_NEUTRAL,
} from '@nestjs/common'
import type { ControllerOptions, Type } from '@nestjs/common'
import { ConfigurationError } from '@tonplug/core'
import { DEFAULT_INSTANCE, WEBHOOK_ENDPOINT } from '../tonplug.tokens.js'
import type { PlatformRequest } from './platform-request.js'
import type { WebhookEndpoint } from './webhook-endpoint.js'

const INSTANCE_NAME = Symbol.for('tonplug:instance-name')
const ENDPOINT = Symbol.for('tonplug:endpoint')
/** The method that takes deliveries; it is seen in Nest's start-up lines and in API descriptions. */
const RECEIVE = 'receiveWebhook'

/** Every other method is answered 405, so that somebody who opens the URL in a browser sees that it is right. */
const OTHER_METHODS = {
  Get: [Get, RequestMethod.GET],
  Put: [Put, RequestMethod.PUT],
  Patch: [Patch, RequestMethod.PATCH],
  Delete: [Delete, RequestMethod.DELETE],
  Options: [Options, RequestMethod.OPTIONS],
} as const

/** The options of {@link WebhookController}: those of Nest's `@Controller`, with one path, and the instance. */
export interface WebhookControllerOptions extends Omit<ControllerOptions, 'path' | 'version'> {
  path: string
  /** @default VERSION_NEUTRAL, since the gateway sends no version and its URL must not move with a default version */
  version?: NonNullable<ControllerOptions['version']>
  /** The instance whose deliveries it takes. @default 'default' */
  name?: string | undefined
}

/** A class with the route and what it needs. */
interface WebhookRoute {
  [ENDPOINT]: WebhookEndpoint
}

/**
 * Makes the class a controller with a POST route for webhooks at `path`, answered 200 or with the receiver's refusal.
 * Everything of Nest works on the class as on any controller: guards, interceptors, versions, other routes.
 * @example
 * ```ts
 * @WebhookController('webhooks/ton')
 * export class PaymentsController {
 *   @OnTransferPaid()
 *   ship({ order }: PaidTransfer) {}
 * }
 * ```
 */
export function WebhookController(given: string | WebhookControllerOptions): ClassDecorator {
  const { name = DEFAULT_INSTANCE, ...options } =
    typeof given === 'string' ? { path: given, name: undefined } : { ...given }
  // Without one Nest would take the root of the app. The compiler does not see an environment variable that is not set.
  if (typeof options.path !== 'string') {
    throw new ConfigurationError({
      option: '@WebhookController',
      problem: `has no path, or several; give the webhook's, such as @WebhookController('webhooks/ton')`,
    })
  }
  return (target) => {
    // A class decorator is given a class.
    const { prototype } = target as unknown as Type
    addRoute(prototype, RECEIVE, { mapping: Post(), name })
    HttpCode(200)(prototype, RECEIVE, descriptorOf(prototype, RECEIVE))
    for (const [verb, [createMapping, method]] of Object.entries(OTHER_METHODS)) {
      if (hasRoute(prototype, method)) continue
      const key = `refuseWebhook${verb}`
      addRoute(prototype, key, { mapping: createMapping(), name })
      // @nestjs/swagger leaves out what has this metadata, as by its @ApiExcludeEndpoint().
      const hidden = { disable: true }
      Reflect.defineMetadata('swagger/apiExcludeEndpoint', hidden, prototype[key])
    }
    Inject(WEBHOOK_ENDPOINT)(prototype, ENDPOINT)
    Reflect.defineMetadata(INSTANCE_NAME, name, target)
    Controller({ version: VERSION_NEUTRAL, ...options })(target)
  }
}

/** The instance of a {@link WebhookController}; `undefined` for other classes. */
export function readControllerInstance(controller: object): string | undefined {
  // Written by the decorator alone.
  return Reflect.getMetadata(INSTANCE_NAME, controller) as string | undefined
}

/** Whether this is the method that takes deliveries of a {@link WebhookController}. */
export function isReceiveMethod(controller: object, method: string): boolean {
  return method === RECEIVE && readControllerInstance(controller) !== undefined
}

function addRoute(
  prototype: Record<string, unknown>,
  key: string,
  { mapping, name }: { mapping: MethodDecorator; name: string },
): void {
  if (Object.hasOwn(prototype, key)) {
    throw new ConfigurationError({
      option: '@WebhookController',
      problem: `the class has a method ${key} already; rename it, and use the decorator once`,
    })
  }
  // A method named by its key, as guards and API descriptions see it.
  const { [key]: value } = {
    [key](this: WebhookRoute, request: PlatformRequest, response: unknown): Promise<unknown> {
      return this[ENDPOINT].respond(name, request, response)
    },
  }
  Object.defineProperty(prototype, key, { configurable: true, writable: true, value })
  mapping(prototype, key, descriptorOf(prototype, key))
  Req()(prototype, key, 0)
  Res({ passthrough: true })(prototype, key, 1)
}

/** Whether the class itself answers a method at its own path. */
function hasRoute(prototype: Record<string, unknown>, method: RequestMethod): boolean {
  return Object.getOwnPropertyNames(prototype).some((key) => {
    const { value } = descriptorOf(prototype, key)
    if (typeof value !== 'function') return false
    const mapped: unknown = Reflect.getMetadata('method', value)
    const paths: unknown = Reflect.getMetadata('path', value)
    return (mapped === method || mapped === RequestMethod.ALL) && ['', '/'].includes(String(paths))
  })
}

function descriptorOf(prototype: object, key: string): PropertyDescriptor {
  return Object.getOwnPropertyDescriptor(prototype, key) ?? {}
}

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
import { ConfigurationError, parseOptions } from '@tonplug/core'
import { z } from 'zod'
import { DEFAULT_INSTANCE, WEBHOOK_ENDPOINT } from '../tonplug.tokens.js'
import type { PlatformRequest } from './platform-request.js'
import type { WebhookEndpoint } from './webhook-endpoint.js'

const INSTANCE_NAME = Symbol.for('tonplug:instance-name')
const ENDPOINT = Symbol.for('tonplug:endpoint')
/** The method that receives deliveries. Nest's start-up log and API descriptions show its name. */
const RECEIVE = 'receiveWebhook'

const PATH = z.string("must have one path, for example @WebhookController('webhooks/ton')")

/** Other methods have routes that respond with 405, so that the URL can be checked in a browser. */
const OTHER_METHODS = {
  Get: [Get, RequestMethod.GET],
  Put: [Put, RequestMethod.PUT],
  Patch: [Patch, RequestMethod.PATCH],
  Delete: [Delete, RequestMethod.DELETE],
  Options: [Options, RequestMethod.OPTIONS],
} as const

/** Options of {@link WebhookController}: those of Nest's `@Controller` with one path, and the instance. */
export interface WebhookControllerOptions extends Omit<ControllerOptions, 'path' | 'version'> {
  path: string
  /** @default VERSION_NEUTRAL, because the gateway sends no version and its URL must not change with the default version */
  version?: NonNullable<ControllerOptions['version']>
  /** The instance whose deliveries it receives. @default 'default' */
  name?: string | undefined
}

/** An instance of a decorated class. */
interface WebhookRoute {
  [ENDPOINT]: WebhookEndpoint
}

/**
 * Makes the class a controller with a POST route for webhooks at `path`. It responds with 200, or with the status of a
 * rejection. Guards, interceptors, versions and further routes work as on any other controller.
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
  // Without a path, Nest would use the root of the app.
  parseOptions(PATH, options.path, { path: '@WebhookController' })
  return (target) => {
    // The target of a class decorator is a class.
    const { prototype } = target as unknown as Type
    addRoute(prototype, RECEIVE, { mapping: Post(), name })
    HttpCode(200)(prototype, RECEIVE, descriptorOf(prototype, RECEIVE))
    for (const [verb, [createMapping, method]] of Object.entries(OTHER_METHODS)) {
      if (hasRoute(prototype, method)) continue
      const key = `rejectWebhook${verb}`
      addRoute(prototype, key, { mapping: createMapping(), name })
      // The metadata of @ApiExcludeEndpoint() of @nestjs/swagger.
      const hidden = { disable: true }
      Reflect.defineMetadata('swagger/apiExcludeEndpoint', hidden, prototype[key])
    }
    Inject(WEBHOOK_ENDPOINT)(prototype, ENDPOINT)
    Reflect.defineMetadata(INSTANCE_NAME, name, target)
    Controller({ version: VERSION_NEUTRAL, ...options })(target)
  }
}

/** Returns the instance of a {@link WebhookController}; `undefined` for other classes. */
export function readControllerInstance(controller: object): string | undefined {
  // Only the decorator writes it.
  return Reflect.getMetadata(INSTANCE_NAME, controller) as string | undefined
}

/** Returns true for the method of a {@link WebhookController} that receives deliveries. */
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
      problem: `must be used once, on a class without a method ${key}`,
    })
  }
  // The key becomes the function's name, which guards and API descriptions read.
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

/** Returns true when the class has its own route for a method at its path. */
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

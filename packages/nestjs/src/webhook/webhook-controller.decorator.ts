import 'reflect-metadata'
import {
  Controller,
  HttpCode,
  Inject,
  Req,
  RequestMapping,
  RequestMethod,
  Res,
  SetMetadata,
  VERSION_NEUTRAL,
} from '@nestjs/common'
import type { ControllerOptions, Type } from '@nestjs/common'
import { ConfigurationError } from '@tonplug/core'
import { rejectStandardDecorator } from '../decorator-mode.js'
import { DEFAULT_INSTANCE, WEBHOOK_ENDPOINT } from '../tonplug.tokens.js'
import { ReadsItsBody } from './fastify-routes.js'
import type { PlatformRequest } from './raw-body.js'
import type { WebhookEndpoint } from './webhook-endpoint.js'

const INSTANCE_NAME = Symbol.for('tonplug:instance-name')
const ENDPOINT = Symbol.for('tonplug:endpoint')

/** Other methods have routes that respond with 405, so that the URL can be checked in a browser. */
const OTHER_METHODS = ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/** The metadata of `@ApiExcludeEndpoint()` of `@nestjs/swagger`. */
const Hidden = SetMetadata('swagger/apiExcludeEndpoint', { disable: true })

/** Options of {@link WebhookController}: options of Nest's `@Controller` with one path, and the instance. */
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
 * @throws {ConfigurationError} for a method of the class that handles POST at its path.
 * @example
 * ```ts
 * @WebhookController('webhooks/ton')
 * export class PaymentsController {
 *   @OnPaid()
 *   ship({ order }: PaidTransfer) {}
 * }
 * ```
 */
export function WebhookController(given: string | WebhookControllerOptions): ClassDecorator {
  const options: WebhookControllerOptions = typeof given === 'string' ? { path: given } : given
  const { name = DEFAULT_INSTANCE, ...controller } = options
  return (target, ...context: unknown[]) => {
    rejectStandardDecorator(context[0])
    // The target of a class decorator is a class.
    const { prototype } = target as unknown as Type
    const preceding = findRoute(prototype, RequestMethod.POST)
    if (preceding !== undefined) {
      const problem =
        'has the path of its @WebhookController and would receive the webhooks. Handle payments in a method decorated with @OnPaid(), or use another path'
      throw new ConfigurationError({ option: `${target.name}.${preceding}`, problem })
    }
    addRoute(prototype, name, [
      'receiveWebhook',
      RequestMethod.POST,
      HttpCode(200),
      ReadsItsBody(name),
    ])
    for (const verb of OTHER_METHODS) {
      const method = RequestMethod[verb]
      if (findRoute(prototype, method) !== undefined) continue
      addRoute(prototype, name, [`rejectWebhook${verb}`, method, Hidden])
    }
    Inject(WEBHOOK_ENDPOINT)(prototype, ENDPOINT)
    Reflect.defineMetadata(INSTANCE_NAME, name, target)
    Controller({ version: VERSION_NEUTRAL, ...controller })(target)
  }
}

/** Returns the instance of a {@link WebhookController}; `undefined` for other classes. */
export function readControllerInstance(controller: object): string | undefined {
  // Only the decorator writes it.
  return Reflect.getMetadata(INSTANCE_NAME, controller) as string | undefined
}

function addRoute(
  prototype: Record<string, unknown>,
  name: string,
  [key, method, ...decorators]: [key: string, method: RequestMethod, ...MethodDecorator[]],
): void {
  if (Object.hasOwn(prototype, key)) {
    const problem = `must be used once, on a class without a method ${key}`
    throw new ConfigurationError({ option: '@WebhookController', problem })
  }
  // The key becomes the function's name, which API descriptions read.
  const route = {
    [key](this: WebhookRoute, request: PlatformRequest, response: unknown): Promise<object> {
      return this[ENDPOINT].receive(name, request, response)
    },
  }
  const descriptor: PropertyDescriptor = { configurable: true, writable: true, value: route[key] }
  Object.defineProperty(prototype, key, descriptor)
  RequestMapping({ path: '/', method })(prototype, key, descriptor)
  for (const decorate of decorators) decorate(prototype, key, descriptor)
  Req()(prototype, key, 0)
  Res({ passthrough: true })(prototype, key, 1)
}

/** Returns the class's own method for requests with this method at its path. */
function findRoute(prototype: object, method: RequestMethod): string | undefined {
  return Object.entries(Object.getOwnPropertyDescriptors(prototype)).find(([, { value }]) => {
    if (typeof value !== 'function') return false
    // The keys of Nest's decorators, in all majors.
    const mapped: unknown = Reflect.getMetadata('method', value)
    const paths = [Reflect.getMetadata('path', value) as string | string[]].flat()
    const isOwnPath = paths.some((path) => path === '' || path === '/')
    return isOwnPath && (mapped === method || mapped === RequestMethod.ALL)
  })?.[0]
}

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
  SetMetadata,
  VERSION_NEUTRAL,
} from '@nestjs/common'
import type { ControllerOptions, Type } from '@nestjs/common'
import { ConfigurationError, parseOptions } from '@tonplug/core'
import { z } from 'zod'
import { DEFAULT_INSTANCE, WEBHOOK_ENDPOINT } from '../tonplug.tokens.js'
import type { PlatformRequest } from './raw-body.js'
import type { WebhookEndpoint } from './webhook-endpoint.js'

const INSTANCE_NAME = Symbol.for('tonplug:instance-name')
const ENDPOINT = Symbol.for('tonplug:endpoint')

const PATH = z.string("must have one path, for example @WebhookController('webhooks/ton')")

/** Other methods have routes that respond with 405, so that the URL can be checked in a browser. */
const OTHER_METHODS = { Get, Put, Patch, Delete, Options }

/** The metadata of `@ApiExcludeEndpoint()` of `@nestjs/swagger`. */
const Hidden = SetMetadata('swagger/apiExcludeEndpoint', { disable: true })

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
 * @throws {ConfigurationError} without a path, and for a method of the class that handles POST at its path.
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
    const preceding = findRoute(prototype, RequestMethod.POST)
    if (preceding !== undefined) throw wouldPrecede(`${target.name}.${preceding}`)
    addRoute(prototype, 'receiveWebhook', { decorators: [Post(), HttpCode(200)], name })
    for (const [verb, mapping] of Object.entries(OTHER_METHODS)) {
      // The members of the enum are the verbs in capitals.
      const method = RequestMethod[verb.toUpperCase() as keyof typeof RequestMethod]
      if (findRoute(prototype, method) !== undefined) continue
      addRoute(prototype, `rejectWebhook${verb}`, { decorators: [mapping(), Hidden], name })
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

function addRoute(
  prototype: Record<string, unknown>,
  key: string,
  { decorators, name }: { decorators: MethodDecorator[]; name: string },
): void {
  if (Object.hasOwn(prototype, key)) {
    throw new ConfigurationError({
      option: '@WebhookController',
      problem: `must be used once, on a class without a method ${key}`,
    })
  }
  // The key becomes the function's name, which guards and API descriptions read.
  const route = {
    async [key](this: WebhookRoute, request: PlatformRequest, response: unknown): Promise<unknown> {
      const { answer } = await this[ENDPOINT].receive(name, request)
      return this[ENDPOINT].writeHead(response, answer)
    },
  }
  const descriptor: PropertyDescriptor = { configurable: true, writable: true, value: route[key] }
  Object.defineProperty(prototype, key, descriptor)
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

function wouldPrecede(method: string): ConfigurationError {
  return new ConfigurationError({
    option: method,
    problem:
      'has the path of its @WebhookController and would receive the webhooks. Handle payments in a method decorated with @OnTransferPaid(), or use another path',
  })
}

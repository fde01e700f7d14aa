import type { Readable } from 'node:stream'
import { SetMetadata } from '@nestjs/common'
import { BodyTooLargeError, readNodeBody, WEBHOOK_DEFAULTS } from '@tonplug/core'
import type { TonplugInstances, WithPart } from '../instances.js'
import { READ } from './raw-body.js'
import type { WithReadBody } from './raw-body.js'

/** A Fastify app, reduced to the hook that runs for each route when it is added, and to its parser. */
export interface FastifyApp {
  addHook(name: 'onRoute', hook: (route: Route) => void): unknown
  /** With `remove`, the parser removes keys that could change prototypes. */
  getDefaultJsonParser(onProto: 'remove', onConstructor: 'remove'): JsonParser
}

type JsonParser = (
  request: unknown,
  text: string,
  done: (error: Error | null, value?: unknown) => void,
) => void

interface Route {
  config?: { tonplug?: string } | undefined
  preParsing?: Hook | Hook[] | undefined
  preValidation?: Hook | Hook[] | undefined
}

/** A hook of an app may have replaced the payload, which is the request by default. */
type Hook = (request: FastifyRequest, reply: unknown, payload: Readable) => Promise<void>

interface FastifyRequest extends WithReadBody {
  /** The headers of `raw`, and those that were assigned. */
  headers: Record<string, unknown>
  body?: unknown
  rawBody?: unknown
}

/** Without these headers, Fastify runs no parser. */
const NO_BODY = {
  'content-type': undefined,
  'content-length': undefined,
  'transfer-encoding': undefined,
}

/** Marks a route that receives the webhooks of an instance, like `@RouteConfig()` of `@nestjs/platform-fastify`. */
export function ReadsItsBody(name: string): MethodDecorator {
  return SetMetadata('__fastify_route_config__', { tonplug: name })
}

/**
 * Makes the webhook routes of a Fastify app read their bodies, instead of its parsers. Other routes get no hook.
 * Guards find the parsed JSON in `request.body`.
 */
export function readBodiesOfRoutes(app: FastifyApp, instances: TonplugInstances): void {
  const parser = app.getDefaultJsonParser('remove', 'remove')
  app.addHook('onRoute', (route) => {
    const { config: { tonplug: name } = {}, preParsing = [], preValidation = [] } = route
    if (name === undefined) return
    const sentHeaders = new WeakMap<FastifyRequest, FastifyRequest['headers']>()
    const read: Hook = async (request, _reply, payload) => {
      if (!payload.readableDidRead && !payload.readableEnded)
        await readBody(request, payload, instances.get('receiver', name))
      const { rawBody } = request
      if (Buffer.isBuffer(rawBody)) request.body = parseJson(rawBody, parser)
      sentHeaders.set(request, request.headers)
      request.headers = { ...request.headers, ...NO_BODY }
    }
    const restoreHeaders: Hook = async (request) => {
      request.headers = sentHeaders.get(request) ?? request.headers
    }
    route.preParsing = [preParsing, read].flat()
    route.preValidation = [restoreHeaders, preValidation].flat()
  })
}

/** Reads the body within the receiver's size limit and deadline. The receiver gets the error of a body that is not read. */
async function readBody(
  request: FastifyRequest,
  payload: Readable,
  { receiver, payments, options }: WithPart<'receiver'>,
): Promise<void> {
  const { maxBodyBytes } = receiver
  const { clock } = payments.internals
  const { deadlineMs = WEBHOOK_DEFAULTS.deadlineMs } = options.webhook ?? {}
  const arrivedMs = clock.nowMs()
  try {
    // The rest of such a body does not have to arrive.
    if (Number(request.headers['content-length']) > maxBodyBytes) {
      throw new BodyTooLargeError({ maxBodyBytes })
    }
    const bytes = await readNodeBody(payload)({ maxBodyBytes, deadlineMs, clock })
    const rawBody = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    request[READ] = { rawBody, arrivedMs }
    request.rawBody = rawBody
  } catch (error) {
    request[READ] = { rawBody: () => Promise.reject(error), arrivedMs }
  }
}

/** Returns the bytes if they are not JSON: their signature may be valid. */
function parseJson(bytes: Buffer, parser: JsonParser): unknown {
  let body: unknown = bytes
  parser(undefined, bytes.toString(), (error, value) => {
    if (error === null) body = value
  })
  return body
}

import type { IncomingMessage } from 'node:http'
import {
  BodyTooLargeError,
  RawBodyUnavailableError,
  readNodeBody,
  systemClock,
  type BodyReader,
  type WebhookReceiver,
} from '@tonplug/core'
import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  preParsingHookHandler,
  RequestPayload,
} from 'fastify'
import { WebhookFailedError } from './webhook-failed-error.js'

const DRAIN_BYTES = 1_048_576
const DRAIN_MS = 500
/** The plugin `fastify-raw-body` would read the body before its length and the signature are checked. */
const CONFIG: FastifyContextConfig & { rawBody: boolean } = { tonplug: true, rawBody: false }
const ANY_TYPE = 'application/octet-stream'
/** Methods whose requests Fastify does not parse. */
const WITHOUT_BODY = ['GET', 'HEAD', 'TRACE']

/** The bodies of requests, as the hooks of the app have left them. */
const bodies = new WeakMap<FastifyRequest, RequestPayload>()

/** Makes a context pass every body on unread, whatever its content type. The parsers of other contexts remain unchanged. */
export function keepBodiesUnread(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (request, payload, done) => {
    bodies.set(request, payload)
    const { 'content-type': type } = request.raw.headers
    request.headers = { ...request.headers, 'content-type': type }
    done(null)
  })
}

/** Adds the route of the webhook, for all methods, to a context of {@link keepBodiesUnread}. */
export function addWebhook(
  scope: FastifyInstance,
  path: string,
  receiver: Pick<WebhookReceiver, 'receive'>,
): void {
  scope.all(path, {
    config: CONFIG,
    preParsing: hideContentType,
    handler: async (request, reply) => {
      const answer = await receive(receiver, request)
      if (reply.sent) return reply
      await drain(request.raw)
      return write(request, reply, answer)
    },
  })
}

/** Fastify rejects content types that are malformed. Its parser gets a valid one, and the hooks after it the one that was sent. */
const hideContentType: preParsingHookHandler = (request, _reply, payload, done) => {
  if (!WITHOUT_BODY.includes(request.method)) {
    request.headers = { ...request.headers, 'content-type': ANY_TYPE }
  }
  done(null, payload)
}

type Answer = Awaited<ReturnType<WebhookReceiver['receive']>>

/** @throws {WebhookFailedError} when the receiver throws. */
async function receive(
  receiver: Pick<WebhookReceiver, 'receive'>,
  request: FastifyRequest,
): Promise<Answer> {
  const { method, originalUrl: url, headers } = request
  try {
    return await receiver.receive({ method, url, headers, rawBody: readBody(request) })
  } catch (cause) {
    throw new WebhookFailedError({ cause })
  }
}

/** Returns a reader of the exact bytes, also of those that a hook has read and kept in `request.rawBody`. */
function readBody(request: FastifyRequest & { rawBody?: unknown }): BodyReader {
  return async (limits) => {
    const body = bodies.get(request) ?? request.raw
    if (!body.readableDidRead) return readNodeBody(body)(limits)
    const { rawBody } = request
    if (!(rawBody instanceof Uint8Array)) {
      const found = 'a hook of the app has read the body'
      const fix = 'let the hook pass requests whose routeOptions.config.tonplug is true'
      throw new RawBodyUnavailableError({ found, fix })
    }
    if (rawBody.byteLength > limits.maxBodyBytes) throw new BodyTooLargeError(limits)
    return rawBody
  }
}

function write(request: FastifyRequest, reply: FastifyReply, answer: Answer): FastifyReply {
  const { connection, ...headers } = answer.headers
  const isHttp2 = request.raw.httpVersionMajor === 2
  // The unread rest of the body would be parsed as the next request.
  if (!isHttp2 && (connection === 'close' || !isRead(request.raw))) {
    reply.header('connection', 'close')
  }
  return reply.code(answer.status).headers(headers).send(answer.body)
}

function isRead(raw: IncomingMessage): boolean {
  return raw.complete || raw.readableEnded || raw.destroyed
}

/** Discards bytes that still arrive for up to 500 ms or 1 MiB, because closing the connection could discard the response. */
async function drain(raw: IncomingMessage): Promise<void> {
  if (isRead(raw)) return
  await new Promise<void>((resolve) => {
    let bytesLeft = DRAIN_BYTES
    const cancelTimer = systemClock.setTimer(stop, DRAIN_MS)
    raw.on('data', count).once('end', stop).once('close', stop).resume()

    function count(chunk: Uint8Array): void {
      bytesLeft -= chunk.length
      if (bytesLeft < 0) stop()
    }

    function stop(): void {
      cancelTimer()
      raw.off('data', count).off('end', stop).off('close', stop)
      resolve()
    }
  })
}

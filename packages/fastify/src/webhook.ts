import type { IncomingMessage } from 'node:http'
import type { WebhookReceiver } from '@tonplug/core'
import { drainRequest, findNodeBody, WebhookFailedError } from '@tonplug/core/bridge'
import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  preParsingHookHandler,
  RequestPayload,
} from 'fastify'

/** The plugin `fastify-raw-body` would read the body before its length and the signature are checked. */
const CONFIG: FastifyContextConfig & { rawBody: boolean } = { tonplug: true, rawBody: false }
const ANY_TYPE = 'application/octet-stream'
/** A content type that Fastify accepts. Assigning headers makes Fastify copy all of them each time that they are read. */
const USUAL_TYPE = /^application\/json(?:; ?charset=utf-8)?$/i
/** Methods whose requests Fastify does not parse. */
const WITHOUT_BODY = ['GET', 'HEAD', 'TRACE']

/** The bodies of requests that hooks of the app have replaced. */
const bodies = new WeakMap<FastifyRequest, RequestPayload>()

/** Makes a context pass every body on unread, whatever its content type. The parsers of other contexts remain unchanged. */
export function keepBodiesUnread(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (request, payload, done) => {
    if (payload !== request.raw) bodies.set(request, payload)
    const { 'content-type': type } = request.raw.headers
    if (request.headers['content-type'] !== type) {
      request.headers = { ...request.headers, 'content-type': type }
    }
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
      if (!request.raw.complete) await drainRequest(request.raw)
      return write(request, reply, answer)
    },
  })
}

/** Fastify rejects content types that are malformed. Its parser gets a valid one, and the hooks after it get the original one. */
const hideContentType: preParsingHookHandler = (request, _reply, payload, done) => {
  const { 'content-type': type = '' } = request.headers
  if (!USUAL_TYPE.test(type) && !WITHOUT_BODY.includes(request.method)) {
    request.headers = { ...request.headers, 'content-type': ANY_TYPE }
  }
  done(null, payload)
}

type WebhookResponse = Awaited<ReturnType<WebhookReceiver['receive']>>

const FIX = 'let the hook pass requests whose routeOptions.config.tonplug is true'

/** @throws {WebhookFailedError} when the receiver throws. */
async function receive(
  receiver: Pick<WebhookReceiver, 'receive'>,
  request: FastifyRequest & { rawBody?: unknown },
): Promise<WebhookResponse> {
  const { method, originalUrl: url, headers, rawBody, raw } = request
  // Payloads of hooks are streams of Node.
  const stream = (bodies.get(request) ?? raw) as IncomingMessage
  try {
    const body = findNodeBody(stream, { rawBody, headers, fix: FIX })
    return await receiver.receive({ method, url, headers, rawBody: body })
  } catch (cause) {
    throw new WebhookFailedError({ cause })
  }
}

function write(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: WebhookResponse,
): FastifyReply {
  reply.code(answer.status).headers(answer.headers)
  // HTTP/2 has no such header.
  if (request.raw.httpVersionMajor === 2) reply.removeHeader('connection')
  // The unread rest of the body would be parsed as the next request.
  else if (!isRead(request.raw)) reply.header('connection', 'close')
  return reply.send(answer.body)
}

function isRead(raw: IncomingMessage): boolean {
  return raw.complete || raw.readableEnded || raw.destroyed
}

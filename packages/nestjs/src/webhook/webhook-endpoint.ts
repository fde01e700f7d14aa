import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { types } from 'node:util'
import { Inject, Injectable } from '@nestjs/common'
import { HttpAdapterHost } from '@nestjs/core'
import { BodyTooLargeError, RawBodyUnavailableError, readNodeBody } from '@tonplug/core'
import type { Answer, BodyReader } from '@tonplug/core'
import { WEBHOOK_INSTANCES } from '../tonplug.tokens.js'
import { offerBody } from './offer-body.js'
import { openDelivery } from './open-delivery.js'
import type { OpenDelivery } from './open-delivery.js'
import { isUnread, toNodeRequest } from './platform-request.js'
import type { PlatformRequest } from './platform-request.js'
import { readyToAnswer } from './ready-to-answer.js'
import { createUntakenLog } from './untaken-log.js'
import type { WebhookInstance, WebhookInstances } from './webhook-instances.js'

/** A request that was taken to its answer. */
export interface ReceivedDelivery {
  instance: WebhookInstance
  answer: Answer
  request: { url: string | undefined; headers: IncomingHttpHeaders }
  rawBody: Uint8Array | undefined
}

const DELIVERY = Symbol('tonplug:delivery')

/**
 * Node's request with what was opened of it. Not in a WeakMap: between two full collections that keeps its values alive,
 * and each of these holds its request.
 */
interface OpenedRequest extends IncomingMessage {
  [DELIVERY]?: OpenDelivery
}

/** Takes requests from routes and guards to the receivers, and answers back to the platform. */
@Injectable()
export class WebhookEndpoint {
  private readonly untaken = createUntakenLog()

  constructor(
    @Inject(WEBHOOK_INSTANCES) private readonly instances: WebhookInstances,
    @Inject(HttpAdapterHost) private readonly adapterHost: HttpAdapterHost,
  ) {}

  /**
   * Reads a delivery on its arrival, ahead of every parser.
   * @returns the answer, when it is refused without its body.
   */
  async open(
    instance: WebhookInstance,
    request: PlatformRequest,
    response: ServerResponse,
  ): Promise<Answer | undefined> {
    const nodeRequest: OpenedRequest = toNodeRequest(request)
    const url = request.originalUrl ?? nodeRequest.url
    const onHeld = (): void => this.untaken.held(instance, url)
    const delivery = openDelivery(instance, nodeRequest, { url, onHeld })
    nodeRequest[DELIVERY] = delivery
    response.once('close', () => {
      // The status of a response that was not sent says nothing.
      const { headersSent, statusCode } = response
      if (delivery.isWaiting() && headersSent && statusCode < 300) {
        this.untaken.answered(instance, url, statusCode)
      }
      delivery.drop()
    })
    const opened = await delivery.opened
    if ('answer' in opened) {
      await readyToAnswer(nodeRequest, opened.answer)
      return opened.answer
    }
    offerBody(request, opened.rawBody)
    return undefined
  }

  /** Takes the request at a route of an instance to its answer. */
  async receive(name: string, request: PlatformRequest): Promise<ReceivedDelivery> {
    const instance = this.instances.get(name)
    const nodeRequest: OpenedRequest = toNodeRequest(request)
    const { method, headers, [DELIVERY]: delivery } = nodeRequest
    const facts = { url: request.originalUrl ?? nodeRequest.url, headers }
    if (delivery?.instance === instance) {
      const answer = await delivery.take()
      const opened = await delivery.opened
      const rawBody = 'rawBody' in opened ? opened.rawBody : undefined
      return { instance, answer, request: facts, rawBody }
    }
    // Unopened, or opened for another instance at the same URL, which has kept the bytes.
    delivery?.drop()
    let rawBody: Uint8Array | undefined
    const answer = await instance.receiver.receive({
      method,
      ...facts,
      rawBody: async (limits) => (rawBody = await findRawBody(request)(limits)),
    })
    return { instance, answer, request: facts, rawBody }
  }

  /** Takes the request to its answer, sets status and headers, and returns the body. */
  async respond(name: string, request: PlatformRequest, response: unknown): Promise<unknown> {
    const { answer } = await this.receive(name, request)
    return this.writeHead(response, answer)
  }

  /** Sets status and headers. @returns the body, for Nest to send. */
  writeHead(response: unknown, { status, headers, body }: Answer): object {
    const { httpAdapter } = this.adapterHost
    httpAdapter.status(response, status)
    for (const [name, value] of Object.entries(headers)) {
      // Nest sets the content type of what it sends.
      if (name !== 'content-type') httpAdapter.setHeader(response, name, value)
    }
    // The receiver's bodies are objects.
    return JSON.parse(body) as object
  }
}

const FIX =
  'Something read the body ahead of tonplug, such as an app that this one is mounted in, or a middleware has changed ' +
  'req.url. Keep the bytes there on req.rawBody, or create this app with NestFactory.create(AppModule, { rawBody: true })'

/**
 * The exact bytes of a request that was not opened on arrival.
 * @throws {RawBodyUnavailableError} by the reader, when a parser has turned them into something else.
 */
function findRawBody(request: PlatformRequest): BodyReader {
  const nodeRequest = toNodeRequest(request)
  return async (limits) => {
    const kept = [request.rawBody, request.body].find((value) => types.isUint8Array(value))
    if (kept !== undefined) {
      if (kept.byteLength > limits.maxBodyBytes) throw new BodyTooLargeError(limits)
      return kept
    }
    if (isUnread(nodeRequest)) return readNodeBody(nodeRequest)(limits)
    throw new RawBodyUnavailableError({ found: 'a body parser has read the stream', fix: FIX })
  }
}

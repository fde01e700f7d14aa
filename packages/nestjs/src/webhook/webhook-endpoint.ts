import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { types } from 'node:util'
import { Inject, Injectable } from '@nestjs/common'
import { HttpAdapterHost } from '@nestjs/core'
import { BodyTooLargeError, RawBodyUnavailableError, readNodeBody } from '@tonplug/core'
import type { Answer, BodyReader } from '@tonplug/core'
import { INSTANCES } from '../tonplug.tokens.js'
import { drainRequest } from './drain-request.js'
import { openDelivery } from './open-delivery.js'
import type { OpenDelivery } from './open-delivery.js'
import { isUnread, toNodeRequest } from './platform-request.js'
import type { PlatformRequest } from './platform-request.js'
import { setBody } from './set-body.js'
import { createUnreachedLog } from './unreached-log.js'
import type { ReceivingInstance, TonplugInstances } from '../instances.js'

/** A processed request and its answer. */
export interface ReceivedDelivery {
  instance: ReceivingInstance
  answer: Answer
  request: { url: string | undefined; headers: IncomingHttpHeaders }
  rawBody: Uint8Array | undefined
}

const DELIVERY = Symbol('tonplug:delivery')

/**
 * Node's request with its delivery. A WeakMap would keep deliveries, and with them requests, alive between two full garbage
 * collections.
 */
interface OpenedRequest extends IncomingMessage {
  [DELIVERY]?: OpenDelivery
}

/** Passes requests of routes and guards to the receivers, and writes their answers with the HTTP platform. */
@Injectable()
export class WebhookEndpoint {
  private readonly unreached = createUnreachedLog()

  constructor(
    @Inject(INSTANCES) private readonly instances: TonplugInstances,
    @Inject(HttpAdapterHost) private readonly adapterHost: HttpAdapterHost,
  ) {}

  /**
   * Reads a delivery on arrival, before every parser.
   * @returns the answer, if the request is rejected before its body is read.
   */
  async open(
    instance: ReceivingInstance,
    request: PlatformRequest,
    response: ServerResponse,
  ): Promise<Answer | undefined> {
    const nodeRequest: OpenedRequest = toNodeRequest(request)
    const url = request.originalUrl ?? nodeRequest.url
    const onTimeout = (): void => this.unreached.timedOut(instance, url)
    const delivery = openDelivery(instance, nodeRequest, { url, onTimeout })
    nodeRequest[DELIVERY] = delivery
    response.once('close', () => {
      // The status of an unsent response has no meaning.
      const { headersSent, statusCode } = response
      if (delivery.isWaiting() && headersSent && statusCode < 300) {
        this.unreached.responded(instance, url, statusCode)
      }
      delivery.discard()
    })
    const opened = await delivery.opened
    if ('answer' in opened) {
      await drainRequest(nodeRequest, opened.answer)
      return opened.answer
    }
    setBody(request, opened.rawBody)
    return undefined
  }

  /** Processes a request that has reached a route of an instance. */
  async receive(name: string, request: PlatformRequest): Promise<ReceivedDelivery> {
    const instance = this.instances.getReceiving(name)
    const nodeRequest: OpenedRequest = toNodeRequest(request)
    const { method, headers, [DELIVERY]: delivery } = nodeRequest
    const facts = { url: request.originalUrl ?? nodeRequest.url, headers }
    if (delivery?.instance === instance) {
      const answer = await delivery.resume()
      const opened = await delivery.opened
      const rawBody = 'rawBody' in opened ? opened.rawBody : undefined
      return { instance, answer, request: facts, rawBody }
    }
    // Not read on arrival, or read for another instance at the same URL, which has kept the bytes.
    delivery?.discard()
    let rawBody: Uint8Array | undefined
    const answer = await instance.receiver.receive({
      method,
      ...facts,
      rawBody: async (limits) => (rawBody = await findRawBody(request)(limits)),
    })
    return { instance, answer, request: facts, rawBody }
  }

  /** Processes the request, sets status and headers, and returns the body. */
  async respond(name: string, request: PlatformRequest, response: unknown): Promise<unknown> {
    const { answer } = await this.receive(name, request)
    return this.writeHead(response, answer)
  }

  /** Sets status and headers. @returns the body, for Nest to send. */
  writeHead(response: unknown, { status, headers, body }: Answer): object {
    const { httpAdapter } = this.adapterHost
    httpAdapter.status(response, status)
    for (const [name, value] of Object.entries(headers)) {
      // Nest sets the content type.
      if (name !== 'content-type') httpAdapter.setHeader(response, name, value)
    }
    // The receiver's bodies are JSON objects.
    return JSON.parse(body) as object
  }
}

const FIX =
  'An outer app has read the body before tonplug, or a middleware has changed req.url. Store the bytes in req.rawBody ' +
  'there, or create this app with NestFactory.create(AppModule, { rawBody: true })'

/**
 * Returns a reader of the exact bytes of a request that was not read on arrival. It throws a `RawBodyUnavailableError` if a
 * parser read the bytes and did not keep them.
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

import type { IncomingMessage } from 'node:http'
import { Inject, Injectable } from '@nestjs/common'
import { HttpAdapterHost } from '@nestjs/core'
import { systemClock } from '@tonplug/core'
import type { Answer, WebhookRequest } from '@tonplug/core'
import type { ReceivingInstance, TonplugInstances } from '../instances.js'
import { INSTANCES } from '../tonplug.tokens.js'
import { findBody, toNodeRequest } from './raw-body.js'
import type { PlatformRequest } from './raw-body.js'

const DRAIN_MS = 500

/** A processed request and its answer. */
export interface ReceivedDelivery {
  instance: ReceivingInstance
  answer: Answer
  headers: WebhookRequest['headers']
}

const RECEIVED = Symbol('tonplug:received')

/**
 * Node's request with its delivery. A WeakMap would keep deliveries, and with them requests, alive between two full garbage
 * collections.
 */
type ReceivedRequest = IncomingMessage & { [RECEIVED]?: ReceivedDelivery }

/** Returns the delivery that a guard or a route of this request received. */
export function findReceived(request: PlatformRequest): ReceivedDelivery | undefined {
  const node: ReceivedRequest = toNodeRequest(request)
  return node[RECEIVED]
}

/** Passes requests of routes and guards to the receivers, and writes their answers with the HTTP platform. */
@Injectable()
export class WebhookEndpoint {
  constructor(
    @Inject(INSTANCES) private readonly instances: TonplugInstances,
    @Inject(HttpAdapterHost) private readonly host: HttpAdapterHost,
  ) {}

  /** Processes a request, once for each instance. */
  async receive(name: string, request: PlatformRequest): Promise<ReceivedDelivery> {
    const instance = this.instances.getReceiving(name)
    const node: ReceivedRequest = toNodeRequest(request)
    if (node[RECEIVED]?.instance === instance) return node[RECEIVED]
    const { method, url } = node
    const body = findBody(request, instance.payments.clock)
    const answer = await instance.receiver.receive({
      method,
      url: request.originalUrl ?? url,
      ...body,
    })
    node[RECEIVED] = { instance, answer, headers: body.headers }
    if (answer.headers['connection'] === 'close') await drain(node)
    return node[RECEIVED]
  }

  /** Sets status and headers of the response. @returns its body, for Nest to send. */
  writeHead(response: unknown, { status, headers }: Answer): { ok: boolean } {
    const { httpAdapter } = this.host
    httpAdapter.status(response, status)
    for (const [name, value] of Object.entries(headers)) {
      // Nest sets the content type.
      if (name !== 'content-type') httpAdapter.setHeader(response, name, value)
    }
    return { ok: status < 300 }
  }
}

/** Reads and discards the rest of a request for up to 500 ms. Closing while bytes arrive could discard the answer. */
async function drain(request: IncomingMessage): Promise<void> {
  if (request.complete || request.destroyed) return
  await new Promise<void>((resolve) => {
    const cancelTimer = systemClock.setTimer(done, DRAIN_MS)
    request.once('end', done).once('close', done).resume()
    function done(): void {
      cancelTimer()
      resolve()
    }
  })
}

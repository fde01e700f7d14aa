import type { IncomingMessage } from 'node:http'
import { Inject, Injectable } from '@nestjs/common'
import { HttpAdapterHost } from '@nestjs/core'
import { systemClock } from '@tonplug/core'
import type { TonplugInstances } from '../instances.js'
import { INSTANCES } from '../tonplug.tokens.js'
import { findBody, toNodeRequest } from './raw-body.js'
import type { PlatformRequest } from './raw-body.js'

const DRAIN_MS = 500

/** Passes requests of webhook routes to the receivers, and writes their answers with the HTTP platform. */
@Injectable()
export class WebhookEndpoint {
  constructor(
    @Inject(INSTANCES) private readonly instances: TonplugInstances,
    @Inject(HttpAdapterHost) private readonly host: HttpAdapterHost,
  ) {}

  /** Sets status and headers of the response. @returns its body, for Nest to send. */
  async receive(name: string, request: PlatformRequest, response: unknown): Promise<object> {
    const { receiver, payments } = this.instances.get('receiver', name)
    const node = toNodeRequest(request)
    const { method, headers, url: ownUrl } = node
    const { originalUrl: url = ownUrl } = request
    const body = findBody(request, payments.clock)
    const answer = await receiver.receive({ method, url, headers, ...body })
    if (answer.headers['connection'] === 'close') await drain(node)
    const { httpAdapter } = this.host
    httpAdapter.status(response, answer.status)
    for (const [header, value] of Object.entries(answer.headers)) {
      // Nest sets the content type.
      if (header !== 'content-type') httpAdapter.setHeader(response, header, value)
    }
    // The body of an answer is a JSON object.
    return JSON.parse(answer.body) as object
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

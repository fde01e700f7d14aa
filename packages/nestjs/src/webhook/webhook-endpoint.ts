import { Inject, Injectable } from '@nestjs/common'
import { drainRequest } from '@tonplug/core/bridge'
import type { TonplugInstances } from '../instances.js'
import { NEST_CORE, type NestCore } from '../nest-core.js'
import { INSTANCES } from '../tonplug.tokens.js'
import { findBody, toNodeRequest } from './raw-body.js'
import type { PlatformRequest } from './raw-body.js'

/** Passes requests of webhook routes to the receivers, and writes their answers with the HTTP platform. */
@Injectable()
export class WebhookEndpoint {
  constructor(
    @Inject(INSTANCES) private readonly instances: TonplugInstances,
    @Inject(NEST_CORE) private readonly core: NestCore,
  ) {}

  /** Sets status and headers of the response. @returns its body, for Nest to send. */
  async receive(name: string, request: PlatformRequest, response: unknown): Promise<object> {
    const { receiver, payments } = this.instances.get('receiver', name)
    const node = toNodeRequest(request)
    const { method, headers, url: ownUrl } = node
    const { originalUrl: url = ownUrl } = request
    const body = findBody(request, payments.internals.clock)
    const answer = await receiver.receive({ method, url, headers, ...body })
    if (answer.headers['connection'] === 'close') await drainRequest(node)
    const { httpAdapter } = this.core.host
    httpAdapter.status(response, answer.status)
    for (const [header, value] of Object.entries(answer.headers)) {
      // Nest sets the content type.
      if (header !== 'content-type') httpAdapter.setHeader(response, header, value)
    }
    // The body of an answer is a JSON object.
    return JSON.parse(answer.body) as object
  }
}

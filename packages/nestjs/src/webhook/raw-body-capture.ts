import { Inject, Injectable } from '@nestjs/common'
import type { OnModuleInit } from '@nestjs/common'
import { HttpAdapterHost } from '@nestjs/core'
import { captureOnExpress } from './capture-on-express.js'
import type { ExpressApp } from './capture-on-express.js'
import { captureOnFastify } from './capture-on-fastify.js'
import type { FastifyApp } from './capture-on-fastify.js'
import { WebhookEndpoint } from './webhook-endpoint.js'
import { WebhookRoutes } from './webhook-routes.js'

/**
 * Reads deliveries ahead of every body parser. Nest registers its parsers after it has constructed the providers;
 * a testing module constructs them before there is an adapter, and initialises them after the parsers.
 */
@Injectable()
export class RawBodyCapture implements OnModuleInit {
  private isInstalled = false

  constructor(
    @Inject(HttpAdapterHost) private readonly adapterHost: HttpAdapterHost,
    @Inject(WebhookRoutes) private readonly routes: WebhookRoutes,
    @Inject(WebhookEndpoint) private readonly endpoint: WebhookEndpoint,
  ) {
    this.install()
  }

  onModuleInit(): void {
    this.install()
  }

  private install(): void {
    // Absent without an HTTP server, and before a test has created its app.
    const adapter = this.adapterHost.httpAdapter as HttpAdapterHost['httpAdapter'] | undefined
    if (this.isInstalled || !adapter) return
    this.isInstalled = true
    const type: string = adapter.getType()
    if (type === 'express') {
      captureOnExpress(adapter.getInstance<ExpressApp>(), this.routes, this.endpoint)
    } else if (type === 'fastify') {
      captureOnFastify(adapter.getInstance<FastifyApp>(), this.routes, this.endpoint)
    }
  }
}

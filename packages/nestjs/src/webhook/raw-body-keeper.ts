import { Inject, Injectable } from '@nestjs/common'
import type { OnModuleInit } from '@nestjs/common'
import { HttpAdapterHost } from '@nestjs/core'
import { keepRawBodyOnExpress } from './keep-raw-body-on-express.js'
import type { ExpressApp } from './keep-raw-body-on-express.js'
import { keepRawBodyOnFastify } from './keep-raw-body-on-fastify.js'
import type { FastifyApp } from './keep-raw-body-on-fastify.js'
import { WebhookEndpoint } from './webhook-endpoint.js'
import { WebhookRoutes } from './webhook-routes.js'

/**
 * Reads deliveries before every body parser. It is installed in the constructor, because Nest registers its parsers after it
 * has constructed the providers. A testing module constructs providers before an adapter exists; there it is installed when
 * the module is initialized.
 */
@Injectable()
export class RawBodyKeeper implements OnModuleInit {
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
      keepRawBodyOnExpress(adapter.getInstance<ExpressApp>(), this.routes, this.endpoint)
    } else if (type === 'fastify') {
      keepRawBodyOnFastify(adapter.getInstance<FastifyApp>(), this.routes, this.endpoint)
    }
  }
}

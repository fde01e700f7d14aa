import { Inject, Injectable } from '@nestjs/common'
import type { HttpAdapterHost } from '@nestjs/core'
import type { TonplugInstances } from '../instances.js'
import { NEST_CORE, type NestCore } from '../nest-core.js'
import { INSTANCES } from '../tonplug.tokens.js'
import { keepBytesInParsers } from './express-parsers.js'
import type { ExpressAdapter } from './express-parsers.js'
import { readBodiesOfRoutes } from './fastify-routes.js'

type HttpAdapter = HttpAdapterHost['httpAdapter']

/** Makes the HTTP platform keep the exact bytes of webhooks. It is created before the app registers parsers and routes. */
@Injectable()
export class RawBodies {
  constructor(
    @Inject(NEST_CORE) { host }: NestCore,
    @Inject(INSTANCES) private readonly instances: TonplugInstances,
  ) {
    // Absent without an HTTP server, and before a test has created its app.
    const adapter = host.httpAdapter as HttpAdapter | null | undefined
    const set = (later: HttpAdapter): void => {
      Reflect.deleteProperty(host, 'httpAdapter')
      host.httpAdapter = later
      this.keepIn(later)
    }
    if (adapter) this.keepIn(adapter)
    else Object.defineProperty(host, 'httpAdapter', { configurable: true, get: () => adapter, set })
  }

  private keepIn(adapter: HttpAdapter): void {
    const type: string = adapter.getType()
    // Nest's types declare only what both platforms have.
    if (type === 'express') keepBytesInParsers(adapter as unknown as ExpressAdapter)
    else if (type === 'fastify') readBodiesOfRoutes(adapter.getInstance(), this.instances)
  }
}

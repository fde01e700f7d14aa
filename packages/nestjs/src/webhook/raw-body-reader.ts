import type { IncomingMessage, ServerResponse } from 'node:http'
import { Inject, Injectable } from '@nestjs/common'
import { HttpAdapterHost } from '@nestjs/core'
import type { TonplugInstances } from '../instances.js'
import { INSTANCES } from '../tonplug.tokens.js'
import { createResponseWatch } from './answered-elsewhere.js'
import { hideBody, isUnread, keepBody, showBody } from './raw-body.js'
import type { BodyLimits, PlatformRequest } from './raw-body.js'

type HttpAdapter = HttpAdapterHost['httpAdapter']
type Next = () => void

/** A request of Express. */
interface ExpressRequest extends IncomingMessage {
  /** Makes the parsers of Express 4 skip the body; those of Express 5 check the stream. */
  _body?: boolean
}

interface FastifyRequest {
  raw: IncomingMessage
}

interface FastifyApp {
  addHook(
    name: 'preParsing',
    hook: (
      request: FastifyRequest,
      reply: { raw: ServerResponse },
      payload: unknown,
      done: Next,
    ) => void,
  ): unknown
  addHook(
    name: 'preValidation',
    hook: (request: FastifyRequest, reply: unknown, done: Next) => void,
  ): unknown
}

/** Reads the bodies of signed requests before every parser. Signed are POST requests with a signature header. */
@Injectable()
export class RawBodyReader {
  /** Adds the reader to an Express app, once. */
  install = (): void => undefined
  private readonly watchResponse: ReturnType<typeof createResponseWatch>

  constructor(
    @Inject(HttpAdapterHost) host: HttpAdapterHost,
    @Inject(INSTANCES) private readonly instances: TonplugInstances,
  ) {
    this.watchResponse = createResponseWatch(instances)
    // Absent without an HTTP server, and before a test has created its app.
    const adapter = host.httpAdapter as HttpAdapter | null | undefined
    if (adapter) {
      this.setAdapter(adapter)
      return
    }
    const set = (later: HttpAdapter): void => {
      Reflect.deleteProperty(host, 'httpAdapter')
      host.httpAdapter = later
      this.setAdapter(later)
    }
    Object.defineProperty(host, 'httpAdapter', { configurable: true, get: () => adapter, set })
  }

  private setAdapter(adapter: HttpAdapter): void {
    const type: string = adapter.getType()
    if (type === 'express') this.readOnExpress(adapter)
    else if (type === 'fastify') this.readOnFastify(adapter.getInstance<FastifyApp>())
  }

  /** The reader becomes the first layer when the app adds its first one: the router fixes its settings at that time. */
  private readOnExpress(adapter: HttpAdapter): void {
    const use = adapter.use.bind(adapter)
    this.install = () => {
      this.install = () => undefined
      adapter.use = use
      adapter.use((request: ExpressRequest, response: ServerResponse, next: Next) => {
        const limits = this.limitsOf(request)
        if (limits === undefined) next()
        else {
          this.watchResponse(request, response, limits.clock)
          void readThen(request, limits, (isRead) => {
            if (isRead) request._body = true
            else hideBody(request)
            next()
          })
        }
      })
    }
    adapter.use = (...layers: unknown[]) => {
      this.install()
      return adapter.use(...layers)
    }
  }

  /** Fastify runs no parser for a request without the headers of a body. */
  private readOnFastify(app: FastifyApp): void {
    app.addHook('preParsing', (request, reply, _payload, done) => {
      const limits = this.limitsOf(request.raw)
      if (limits === undefined) done()
      else {
        this.watchResponse(request.raw, reply.raw, limits.clock)
        void readThen(request, limits, () => {
          hideBody(request)
          done()
        })
      }
    })
    app.addHook('preValidation', (request, _reply, done) => {
      showBody(request)
      done()
    })
  }

  /** Returns `undefined` for a request that is left to the parsers. */
  private limitsOf(request: IncomingMessage) {
    if (request.method !== 'POST' || !isUnread(request)) return undefined
    return this.instances.limitsOf(request.headers)
  }
}

async function readThen(
  request: PlatformRequest,
  limits: BodyLimits,
  resume: (isRead: boolean) => void,
): Promise<void> {
  resume(await keepBody(request, limits))
}

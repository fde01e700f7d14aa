import type { IncomingMessage, ServerResponse } from 'node:http'
import { Inject, Injectable } from '@nestjs/common'
import { HttpAdapterHost } from '@nestjs/core'
import type { TonplugInstances } from '../instances.js'
import { INSTANCES } from '../tonplug.tokens.js'
import { isReceived, isUnread, keepBody, showBody, toNodeRequest } from './raw-body.js'
import type { PlatformRequest } from './raw-body.js'

type HttpAdapter = HttpAdapterHost['httpAdapter']
type Next = () => void

/** A hook of Fastify; its last parameter is `done`. */
type Hook = (
  request: PlatformRequest & { raw: IncomingMessage },
  reply: { raw: ServerResponse },
  ...rest: Next[]
) => void

const LOG_EVERY_MS = 60_000
const NOT_RECEIVED =
  'delivery not recorded: another route, middleware or interceptor responded first; register the webhook before it'

/** Reads the bodies of signed requests before every parser. Signed are POST requests with a signature header. */
@Injectable()
export class RawBodyReader {
  /** Adds the reader to an Express app, once. */
  install = (): void => undefined
  private loggedAtMs = -Infinity

  constructor(
    @Inject(HttpAdapterHost) host: HttpAdapterHost,
    @Inject(INSTANCES) private readonly instances: TonplugInstances,
  ) {
    // Absent without an HTTP server, and before a test has created its app.
    const adapter = host.httpAdapter as HttpAdapter | null | undefined
    const set = (later: HttpAdapter): void => {
      Reflect.deleteProperty(host, 'httpAdapter')
      host.httpAdapter = later
      this.setAdapter(later)
    }
    if (adapter) this.setAdapter(adapter)
    else Object.defineProperty(host, 'httpAdapter', { configurable: true, get: () => adapter, set })
  }

  private setAdapter(adapter: HttpAdapter): void {
    const type: string = adapter.getType()
    if (type === 'express') this.readOnExpress(adapter)
    else if (type === 'fastify') this.readOnFastify(adapter.getInstance())
  }

  /** The reader becomes the first layer when the app adds its first one: the router fixes its settings at that time. */
  private readOnExpress(adapter: HttpAdapter): void {
    const use = adapter.use.bind(adapter)
    this.install = () => {
      this.install = () => undefined
      adapter.use = use
      adapter.use((request: IncomingMessage, response: ServerResponse, next: Next) =>
        this.read(request, response, next),
      )
    }
    adapter.use = (...layers: unknown[]) => {
      this.install()
      return adapter.use(...layers)
    }
  }

  /** Fastify runs no parser for a request without the headers of a body. */
  private readOnFastify(app: { addHook(name: string, hook: Hook): unknown }): void {
    app.addHook('preParsing', (request, reply, _payload, done) =>
      this.read(request, reply.raw, done),
    )
    app.addHook('preValidation', (request, _reply, done) => {
      showBody(request.raw)
      done()
    })
  }

  /** Leaves unsigned requests to the parsers. */
  private read(request: PlatformRequest, response: ServerResponse, next: Next): void {
    const node = toNodeRequest(request)
    if (node.method !== 'POST' || !this.instances.isSigned(node.headers) || !isUnread(node)) {
      next()
      return
    }
    response.once('finish', () => this.warnIfNotReceived(request, response))
    const keep = async (): Promise<void> => {
      await keepBody(request, this.instances.limits)
      next()
    }
    void keep()
  }

  /** Logs a 2xx of another route, middleware or interceptor at most once a minute: the sender does not repeat the delivery. */
  private warnIfNotReceived(request: PlatformRequest, response: ServerResponse): void {
    const { statusCode: status } = response
    if (status >= 300 || isReceived(request)) return
    const nowMs = this.instances.limits.clock.nowMs()
    if (nowMs - this.loggedAtMs < LOG_EVERY_MS) return
    this.loggedAtMs = nowMs
    const [path] = toNodeRequest(request).url?.split('?', 1) ?? []
    this.instances.log('error', NOT_RECEIVED, { path, status })
  }
}

import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { All, Controller, ForbiddenException, Module, Req, Res } from '@nestjs/common'
import type { ExecutionContext, INestApplication, NestApplicationOptions } from '@nestjs/common'
import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express'
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify'
import { Test } from '@nestjs/testing'
import { memoryOrderRepository } from '@tonplug/core'
import { createTestLogger, describeOtherRoutes } from '@tonplug/testing'
import type { OtherRoutesHarness, OtherRoutesOptions } from '@tonplug/testing'
import express from 'express'
import { describe, it } from 'vitest'
import { TonplugModule } from '../../src/tonplug.module.js'
import { getReceiverToken } from '../../src/tonplug.tokens.js'
import { closeApp, platforms } from '../support/start-app.js'
import type { Platform } from '../support/start-app.js'

interface PlatformRequest extends IncomingMessage {
  body?: unknown
  rawBody?: Buffer
  raw?: IncomingMessage
}

interface PlatformResponse extends ServerResponse {
  raw?: ServerResponse
  hijack?: () => void
}

@Controller()
class EchoController {
  @All(['echo', 'echo/webhooks/ton', 'webhooks/ton/other', 'signed'])
  echo(@Req() { method, url, headers, body }: PlatformRequest): object {
    return { method, url, headers, body }
  }

  /** Reads the stream that no parser has read. */
  @All('stream')
  stream(@Req() request: PlatformRequest, @Res() response: PlatformResponse): void {
    const nodeResponse = response.raw ?? response
    response.hijack?.()
    nodeResponse.writeHead(201, { 'content-type': 'application/octet-stream' })
    ;(request.raw ?? request).pipe(nodeResponse)
  }
}

/** A configuration of an app, which checks the signatures of `/signed`. */
interface SetUp {
  options?: NestApplicationOptions
  httpVersions?: OtherRoutesHarness['httpVersions']
  prepare: (app: INestApplication, isSigned: IsSigned) => unknown
}

type IsSigned = (request: PlatformRequest, rawBody: unknown) => boolean

const forbidden = (): Error => new ForbiddenException('forged')

const rawBody: SetUp = {
  options: { rawBody: true },
  prepare: (app, isSigned) =>
    app.useGlobalGuards({
      canActivate(context: ExecutionContext) {
        const request = context.switchToHttp().getRequest<PlatformRequest>()
        return request.url !== '/signed' || isSigned(request, request.rawBody)
      },
    }),
}

const setUps: Record<Platform, Record<string, SetUp>> = {
  express: {
    'default options': {
      prepare: (app, isSigned) =>
        app.use(
          '/signed',
          express.raw({ type: '*/*' }),
          (...[request, , next]: Parameters<express.RequestHandler>) =>
            next(isSigned(request, request.body) ? undefined : forbidden()),
        ),
    },
    'useBodyParser with a limit and its own verify': {
      prepare(app, isSigned) {
        const verify = (request: PlatformRequest, _response: unknown, bytes: Buffer): void => {
          if (request.url === '/signed' && !isSigned(request, bytes)) throw forbidden()
        }
        // The types of Nest omit `verify`, which it passes on.
        const options = { verify, limit: 150_000 }
        ;(app as NestExpressApplication).useBodyParser('json', options)
      },
    },
    'rawBody: true': rawBody,
  },
  fastify: {
    'default options': { httpVersions: ['1.1', '2'], prepare: checkInHook },
    'bodyParser: false': { options: { bodyParser: false }, prepare: checkInHook },
    'rawBody: true': rawBody,
  },
}

/** Reads the body before Fastify's parser does, as plugins for raw bodies do. */
function checkInHook(app: INestApplication, isSigned: IsSigned): void {
  const fastify = (app as NestFastifyApplication).getHttpAdapter().getInstance()
  fastify.addHook('preParsing', async (request, _reply, payload) => {
    if (request.url !== '/signed') return payload
    const chunks: Uint8Array[] = []
    for await (const chunk of payload) chunks.push(chunk as Uint8Array)
    const bytes = Buffer.concat(chunks)
    if (!isSigned(request.raw, bytes)) throw forbidden()
    return Object.assign(Readable.from([bytes]), { receivedEncodedLength: bytes.length })
  })
}

for (const platform of platforms) {
  for (const [name, setUp] of Object.entries(setUps[platform])) {
    describeOtherRoutes(
      `Nest ${process.env['NEST_MAJOR']} on ${platform}, ${name}`,
      { start: (options) => start(platform, setUp, options), httpVersions: setUp.httpVersions },
      { describe, it },
    )
  }
}

async function start(
  platform: Platform,
  { options = {}, prepare }: SetUp,
  { receiver, httpVersion, isShopSignature }: OtherRoutesOptions,
) {
  const tonplug = TonplugModule.forRoot({
    path: 'webhooks/ton',
    payments: { orders: memoryOrderRepository(), logger: createTestLogger() },
    webhook: { secrets: 'whsec_overridden' },
  })
  @Module({ imports: receiver ? [tonplug] : [], controllers: [EchoController] })
  class AppModule {}
  const builder = Test.createTestingModule({ imports: [AppModule] })
  if (receiver) {
    // The suite closes its receiver.
    const shared = { ...receiver, close: async () => undefined }
    builder.overrideProvider(getReceiverToken()).useValue(shared)
  }
  const http2 = httpVersion === '2'
  const adapter =
    platform === 'express' ? new ExpressAdapter() : new FastifyAdapter({ http2 } as { http2: true })
  const testingModule = await builder.compile()
  const app = testingModule.createNestApplication(adapter, {
    logger: false,
    forceCloseConnections: !http2,
    ...options,
  })
  await prepare(
    app,
    ({ headers }, bytes) =>
      bytes instanceof Uint8Array && isShopSignature(bytes, headers['x-shop-signature']),
  )
  await app.listen(0, '127.0.0.1')
  return { url: await app.getUrl(), close: () => closeApp(app) }
}

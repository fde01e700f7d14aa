// Runs one of the webhook servers, selected by the first argument, in a separate process. Sends its port to the parent
// process and, on request, its CPU time.
import { createServer } from 'node:http'
import { serve } from '@hono/node-server'
import {
  Controller,
  Headers,
  HttpCode,
  HttpException,
  Module,
  Post,
  RawBody,
  UnauthorizedException,
} from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import { createPayments, createWebhookReceiver, memoryOrderRepository } from '@tonplug/core'
import { tonplugWebhook } from '@tonplug/express'
import { TonplugModule } from '@tonplug/nestjs'
import express from 'express'
import fastify from 'fastify'
import { PATH, referenceOf, SECRET } from '../webhooks.mjs'
import { createByHand, isSigned, read } from './webhook-by-hand.mjs'

const orders = memoryOrderRepository(
  Array.from({ length: Number(process.argv[3]) }, (_, number) => ({
    reference: referenceOf(number),
    rawAmount: 10_500_000_000n,
    asset: 'TON',
    status: 'pending',
  })),
)
const logger = { debug() {}, info() {}, warn() {}, error: console.error }
const options = { orders, logger }
const createReceiver = () =>
  createWebhookReceiver({ payments: createPayments(options), secrets: SECRET })

const starts = {
  'express-raw': async () => {
    const app = express()
    app.post(PATH, express.raw({ type: '*/*' }), ({ body, headers }, response) => {
      if (isSigned(body, headers)) response.json(read(body))
      else response.sendStatus(401)
    })
    return listen(createServer(app))
  },
  'express-stream': async () => {
    const app = express()
    app.post(PATH, (request, response) => {
      const chunks = []
      request.on('data', (chunk) => chunks.push(chunk))
      request.on('end', () => {
        const body = Buffer.concat(chunks)
        response.statusCode = isSigned(body, request.headers) ? 200 : 401
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify(read(body)))
      })
    })
    return listen(createServer(app))
  },
  'express-same': async () => {
    const app = express()
    const take = createByHand(orders)
    app.post(PATH, express.raw({ type: '*/*', limit: '64kb' }), async (request, response) => {
      const { status, body } = await take(request.body, request.headers)
      response.status(status).json(body)
    })
    return listen(createServer(app))
  },
  'express-tonplug': async () => {
    const app = express()
    app.post(PATH, tonplugWebhook(createReceiver()))
    return listen(createServer(app))
  },
  'fetch-tonplug': async () => {
    const receiver = createReceiver()
    return new Promise((resolve) => {
      serve(
        { fetch: (request) => receiver.handle(request), port: 0, hostname: '127.0.0.1' },
        (info) => resolve(info.port),
      )
    })
  },
  'fastify-raw': async () => {
    const app = fastify()
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    app.removeContentTypeParser('application/json')
    app.post(PATH, async ({ body, headers }, reply) =>
      isSigned(body, headers) ? read(body) : reply.code(401).send(),
    )
    await app.listen({ port: 0, host: '127.0.0.1' })
    return app.server.address().port
  },
  'nest-express-raw': () => nest([], [byHandController(verifyAndParse)], {}),
  'nest-express-same': () => nest([], [byHandController(doTheSame())], {}),
  'nest-fastify-same': () =>
    nest([], [byHandController(doTheSame())], { adapter: new FastifyAdapter() }),
  'nest-express-tonplug': () => nest([tonplug()], [], {}),
  'nest-fastify-tonplug': () => nest([tonplug()], [], { adapter: new FastifyAdapter() }),
}

const port = await starts[process.argv[2]]()
process.on('message', () => process.send(process.cpuUsage()))
process.send(port)

function listen(server) {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(server.address().port))
  })
}

function tonplug() {
  return TonplugModule.forRoot({
    path: PATH.slice(1),
    payments: options,
    webhook: { secrets: SECRET },
  })
}

function verifyAndParse(body, headers) {
  if (!isSigned(body, headers)) throw new UnauthorizedException()
  return read(body)
}

function doTheSame() {
  const takeInTime = createByHand(orders)
  return async (rawBody, headers) => {
    const { status, body } = await takeInTime(rawBody, headers)
    if (status !== 200) throw new HttpException(body, status)
    return body
  }
}

function byHandController(take) {
  class ByHandController {
    take(body, headers) {
      return take(body, headers)
    }
  }
  RawBody()(ByHandController.prototype, 'take', 0)
  Headers()(ByHandController.prototype, 'take', 1)
  const method = Object.getOwnPropertyDescriptor(ByHandController.prototype, 'take')
  Post(PATH)(ByHandController.prototype, 'take', method)
  HttpCode(200)(ByHandController.prototype, 'take', method)
  Controller()(ByHandController)
  return ByHandController
}

async function nest(imports, controllers, { adapter }) {
  class AppModule {}
  Module({ imports, controllers })(AppModule)
  const settings = { logger: ['error'], rawBody: controllers.length > 0 }
  const app =
    adapter === undefined
      ? await NestFactory.create(AppModule, settings)
      : await NestFactory.create(AppModule, adapter, settings)
  await app.listen(0, '127.0.0.1')
  return app.getHttpServer().address().port
}

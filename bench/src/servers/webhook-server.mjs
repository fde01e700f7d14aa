// Runs one of the webhook servers, selected by the first argument, in a separate process. Sends its port to the parent
// process and, on request, its CPU time.
import { createServer } from 'node:http'
import { serve } from '@hono/node-server'
import {
  Body,
  Controller,
  Headers,
  HttpCode,
  HttpException,
  Module,
  Post,
  RawBody,
} from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import { createPayments, createWebhookReceiver, memoryOrderRepository } from '@tonplug/core'
import { tonplugWebhook } from '@tonplug/express'
import { tonplugFastify } from '@tonplug/fastify'
import { TonplugModule } from '@tonplug/nestjs'
import express from 'express'
import { fastify } from 'fastify'
import { PATH, referenceOf, SECRET } from '../webhooks.mjs'
import { bridgeExpress, bridgeFastify, bridgeFetch, bridgeNest } from './bridge-by-hand.mjs'
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
  'express-same': async () => {
    const app = express()
    const take = createByHand(orders)
    app.post(PATH, express.raw({ type: '*/*', limit: '64kb' }), async (request, response) => {
      const { status, body } = await take(request.body, request.headers)
      response.status(status).json(body)
    })
    return listen(createServer(app))
  },
  'express-bridge': async () => {
    const app = express()
    bridgeExpress(app, createReceiver())
    return listen(createServer(app))
  },
  'express-tonplug': async () => {
    const app = express()
    app.post(PATH, tonplugWebhook(createReceiver()))
    return listen(createServer(app))
  },
  'express-bare': async () => serveOtherRoute(express()),
  'express-beside': async () => {
    const app = express()
    app.use(PATH, tonplugWebhook(createReceiver()))
    return serveOtherRoute(app)
  },
  'fastify-bridge': () => {
    const app = fastify()
    bridgeFastify(app, createReceiver())
    return listenFastify(app)
  },
  'fastify-tonplug': () => {
    const app = fastify()
    app.register(tonplugFastify, { path: PATH, receiver: createReceiver() })
    return listenFastify(app)
  },
  'fastify-bare': () => serveOtherRouteByFastify(fastify()),
  'fastify-beside': () => {
    const app = fastify()
    app.register(tonplugFastify, { path: PATH, receiver: createReceiver() })
    return serveOtherRouteByFastify(app)
  },
  'fetch-bridge': () => serveFetch(bridgeFetch(createReceiver())),
  'fetch-same': () => {
    const take = createByHand(orders)
    return serveFetch(async (request) => {
      const { status, body } = await take(
        Buffer.from(await request.arrayBuffer()),
        Object.fromEntries(request.headers),
      )
      return Response.json(body, { status })
    })
  },
  'fetch-tonplug': () => {
    const receiver = createReceiver()
    return serveFetch((request) => receiver.handle(request))
  },
  'nest-express-same': () => nest([], [byHandController(doTheSame())], { rawBody: true }),
  'nest-fastify-same': () =>
    nest([], [byHandController(doTheSame())], { adapter: new FastifyAdapter(), rawBody: true }),
  'nest-express-bridge': () => {
    const write = (response, status, headers) => response.status(status).set(headers)
    return nest([], [bridgeNest(createReceiver(), write)], { rawBody: true })
  },
  'nest-fastify-bridge': () => {
    const write = (reply, status, headers) => reply.code(status).headers(headers)
    const settings = { adapter: new FastifyAdapter(), rawBody: true }
    return nest([], [bridgeNest(createReceiver(), write)], settings)
  },
  'nest-express-tonplug': () => nest([tonplug()], [], {}),
  'nest-fastify-tonplug': () => nest([tonplug()], [], { adapter: new FastifyAdapter() }),
  'nest-express-bare': () => nest([], [createOtherController()], {}),
  'nest-express-beside': () => nest([tonplug()], [createOtherController()], {}),
  'nest-fastify-bare': () => nest([], [createOtherController()], { adapter: new FastifyAdapter() }),
  'nest-fastify-beside': () =>
    nest([tonplug()], [createOtherController()], { adapter: new FastifyAdapter() }),
}

const port = await starts[process.argv[2]]()
process.on('message', () => process.send(process.cpuUsage()))
process.send(port)

/** Serves a route that has nothing to do with webhooks. */
function serveOtherRoute(app) {
  app.use(express.json())
  app.post('/orders', ({ body }, response) => response.json({ received: body.event }))
  return listen(createServer(app))
}

/** The same as {@link serveOtherRoute} in Fastify. */
function serveOtherRouteByFastify(app) {
  app.post('/orders', async ({ body }) => ({ received: body.event }))
  return listenFastify(app)
}

async function listenFastify(app) {
  await app.listen({ port: 0, host: '127.0.0.1' })
  return app.server.address().port
}

function serveFetch(handle) {
  return new Promise((resolve) => {
    serve({ fetch: handle, port: 0, hostname: '127.0.0.1' }, (info) => resolve(info.port))
  })
}

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

/** The same as {@link serveOtherRoute} in Nest. */
function createOtherController() {
  class OrdersController {
    create({ event }) {
      return { received: event }
    }
  }
  Body()(OrdersController.prototype, 'create', 0)
  const method = Object.getOwnPropertyDescriptor(OrdersController.prototype, 'create')
  Post('orders')(OrdersController.prototype, 'create', method)
  Controller()(OrdersController)
  return OrdersController
}

async function nest(imports, controllers, { adapter, rawBody = false }) {
  class AppModule {}
  Module({ imports, controllers })(AppModule)
  const settings = { logger: ['error'], rawBody }
  const app =
    adapter === undefined
      ? await NestFactory.create(AppModule, settings)
      : await NestFactory.create(AppModule, adapter, settings)
  await app.listen(0, '127.0.0.1')
  return app.getHttpServer().address().port
}

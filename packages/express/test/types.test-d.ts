import { createWebhookReceiver, memoryOrderRepository } from '@tonplug/core'
import express5 from 'express'
import express4 from 'express4'
import { captureRawBody } from '../src/capture-raw-body.js'
import { saveRawBody } from '../src/save-raw-body.js'
import { tonplugWebhook } from '../src/webhook-middleware.js'

const receiver = createWebhookReceiver({ secrets: 'whsec_types', orders: memoryOrderRepository() })
const webhook = tonplugWebhook(receiver)

express5().post('/', webhook).all('/', webhook).use('/', webhook).use(captureRawBody(receiver))
express5().use(captureRawBody(), express5.json({ verify: saveRawBody }))
express5().use(express5.urlencoded({ verify: saveRawBody }))
express5.Router().post('/:merchant', express5.raw({ verify: saveRawBody }), webhook)
express5().post('/', (request, response, next) => webhook(request, response, next))
webhook satisfies express5.RequestHandler
captureRawBody() satisfies express5.RequestHandler

express4().post('/', webhook).all('/', webhook)
express4().use('/', webhook)
express4().use(captureRawBody(), express4.json({ verify: saveRawBody }))
express4().use(express4.urlencoded({ verify: saveRawBody }), captureRawBody(receiver))
express4.Router().post('/:merchant', express4.raw({ verify: saveRawBody }), webhook)
express4().post('/', (request, response, next) => webhook(request, response, next))
webhook satisfies express4.RequestHandler
captureRawBody() satisfies express4.RequestHandler

import { describeOtherRoutes } from '@tonplug/testing'
import type { OtherRoutesOptions } from '@tonplug/testing'
import type { Application, ErrorRequestHandler, RequestHandler } from 'express'
import { describe, it } from 'vitest'
import { keepRawBody } from '../src/keep-raw-body.js'
import { tonplugWebhook } from '../src/webhook-middleware.js'
import { expressVersions } from './support/express-versions.js'
import type { Express } from './support/express-versions.js'
import { startServer } from './support/listen.js'

const PATH = '/webhooks/ton'

type Receiver = NonNullable<OtherRoutesOptions['receiver']>

/** Ways to add tonplug to an app: middleware before its parsers, whether they keep bytes, and middleware after them. */
const ways: Record<string, (receiver: Receiver) => Way> = {
  'a route before the parsers': (receiver) => ({
    before: (app) => app.post(PATH, tonplugWebhook(receiver)),
  }),
  'mounted before the parsers': (receiver) => ({
    before: (app) => app.use(PATH, tonplugWebhook(receiver)),
  }),
  'mounted after a route for all paths': (receiver) => ({
    before: (app) =>
      app.post(/.*/, (_request, _response, next) => next()).use(PATH, tonplugWebhook(receiver)),
  }),
  keepRawBody: (receiver) => ({
    keepsBytes: true,
    after: (app) => app.post(PATH, tonplugWebhook(receiver)),
  }),
}

interface Way {
  before?: (app: Application) => unknown
  keepsBytes?: boolean
  after?: (app: Application) => unknown
}

for (const [version, express] of expressVersions) {
  for (const [name, toWay] of Object.entries(ways)) {
    const start = (options: OtherRoutesOptions) => startServer(createApp(express, toWay, options))
    describeOtherRoutes(`${version}, ${name}`, { start }, { describe, it })
  }
}

function createApp(
  express: Express,
  toWay: (receiver: Receiver) => Way,
  { receiver, isShopSignature }: OtherRoutesOptions,
): Application {
  const { before, keepsBytes = false, after }: Way = receiver ? toWay(receiver) : {}
  const app = express()
  before?.(app)
  const checkShop: typeof keepRawBody = (request, response, bytes) => {
    if (keepsBytes) keepRawBody(request, response, bytes)
    if (request.url !== '/signed') return
    const isRight = isShopSignature(bytes, request.headers['x-shop-signature'])
    if (!isRight) throw Object.assign(new Error('forged'), { status: 403 })
  }
  app.use(express.json({ verify: checkShop }))
  app.use(
    express.urlencoded(keepsBytes ? { extended: true, verify: keepRawBody } : { extended: true }),
  )
  app.use(express.text(keepsBytes ? { verify: keepRawBody } : {}))
  after?.(app)
  const echo: RequestHandler = ({ method, url, headers, body }, response) => {
    response.json({ method, url, headers, body })
  }
  for (const path of ['/echo', `/echo${PATH}`, `${PATH}/other`, '/signed']) app.all(path, echo)
  app.all('/stream', (request, response) => {
    response.status(201).type('application/octet-stream')
    request.pipe(response)
  })
  return app.use(showError)
}

const showError: ErrorRequestHandler = (error, _request, response, _next) => {
  const { status, type, message, limit } = error
  response.status(status).json({ status, type, message, limit })
}

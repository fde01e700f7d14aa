import { describe, expect, it } from 'vitest'
import { tonplugWebhook } from '../src/webhook-middleware.js'
import { expressVersions } from './support/express-versions.js'
import { listen } from './support/listen.js'
import { createShop, deliver, deliveries } from './support/shop.js'

describe.each(expressVersions)('a body that a parser has consumed, %s', (_version, express) => {
  it('S21 is rejected with 500, and one error line states the fix', async () => {
    const shop = createShop()
    const app = express().use(express.json()).post('/webhooks/ton', tonplugWebhook(shop.receiver))
    const { url } = await listen(app)
    const seen = await deliver(`${url}/webhooks/ton`, deliveries.valid)
    expect(seen).toEqual({
      status: 500,
      contentType: 'application/json',
      body: '{"ok":false}',
    })
    const errors = shop.logger.lines.filter(({ level }) => level === 'error')
    expect(errors).toHaveLength(1)
    for (const part of ['before express.json()', 'verify: keepRawBody']) {
      expect(errors[0]?.message).toContain(part)
    }
    expect(await shop.orderStatus()).toBe('pending')
  })

  it('S21 is rejected with 500 when the bytes of the stream were not kept', async () => {
    const shop = createShop()
    const app = express()
      .use((request, _response, next) => {
        request.resume().once('end', () => next())
      })
      .post('/', tonplugWebhook(shop.receiver))
    const { url } = await listen(app)
    expect(await deliver(url, deliveries.valid)).toMatchObject({ status: 500 })
    const lines = shop.logger.lines.filter(({ message }) => !message.startsWith('inbox is lost'))
    expect(lines).toMatchObject([
      { level: 'error', message: expect.stringContaining('its bytes were not kept') },
    ])
  })

  it('S21 is rejected with 500 when the first chunk of the stream was read', async () => {
    const shop = createShop()
    const app = express()
      .use((request, _response, next) => {
        request.once('data', () => {
          request.pause()
          next()
        })
      })
      .post('/', tonplugWebhook(shop.receiver))
    const { url } = await listen(app)
    expect(await deliver(url, deliveries.valid)).toMatchObject({ status: 500 })
  })

  it('S15 recognizes an empty body behind a parser', async () => {
    const shop = createShop()
    const app = express().use(express.json()).post('/', tonplugWebhook(shop.receiver))
    const { url } = await listen(app)
    expect(await deliver(url, { ...deliveries.valid, body: '' })).toMatchObject({ status: 401 })
  })

  it('S17 reads the stream when the parser ignored the content type', async () => {
    const shop = createShop()
    const app = express().use(express.json()).post('/', tonplugWebhook(shop.receiver))
    const { url } = await listen(app)
    const headers = { ...deliveries.valid.headers, 'content-type': 'text/plain' }
    expect(await deliver(url, { ...deliveries.valid, headers })).toMatchObject({ status: 200 })
  })
})

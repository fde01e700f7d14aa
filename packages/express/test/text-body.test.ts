import { signPayload, transferCompleted } from '@tonplug/testing'
import type { RequestHandler } from 'express'
import request from 'supertest'
import { describe, expect, it } from 'vitest'
import { tonplugWebhook } from '../src/webhook-middleware.js'
import { expressVersions } from './support/express-versions.js'
import { createShop, SECRET } from './support/shop.js'
import type { Shop } from './support/shop.js'

describe.each(expressVersions)('a body that was decoded to a string, %s', (_version, express) => {
  const text = JSON.stringify(transferCompleted({ commentToSender: 'Grüße 🚀 \u001B' }))

  async function post(
    shop: Shop,
    bytes: Uint8Array,
    options: { contentType?: string; parser?: RequestHandler } = {},
  ): Promise<number> {
    const { contentType = 'application/json', parser = express.text({ type: '*/*' }) } = options
    const app = express().use(parser).post('/', tonplugWebhook(shop.receiver))
    const { headers } = signPayload(bytes, SECRET)
    const { status } = await request(app)
      .post('/')
      .set({ ...headers, 'content-type': contentType })
      // Sends the bytes without a serializer.
      .serialize((body) => body as string)
      .send(Buffer.from(bytes))
    return status
  }

  it('S22 is encoded as UTF-8', async () => {
    expect(await post(createShop(), Buffer.from(text))).toBe(200)
    expect(
      await post(createShop(), Buffer.from(text), {
        contentType: 'application/json; charset="UTF-8"',
      }),
    ).toBe(200)
  })

  it.each([
    ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'application/json'],
    ['a truncated character', Buffer.from([0x22, 0xf0, 0x9f, 0x98, 0x22]), 'application/json'],
    ['a byte order mark, which decoding drops', Buffer.from(`\uFEFF${text}`), 'application/json'],
    ['another charset', Buffer.from('{}', 'utf16le'), 'application/json; charset=utf-16le'],
    ['latin1, all ASCII', Buffer.from('{}'), 'application/json; charset=latin1'],
  ])('S21 is rejected when it came from %s', async (_name, bytes, contentType) => {
    const shop = createShop()
    expect(await post(shop, bytes, { contentType })).toBe(500)
    const errors = shop.logger.lines.filter(({ level }) => level === 'error')
    expect(errors.map(({ message }) => message)).toEqual([
      expect.stringContaining('the body is a string that may differ from the bytes sent'),
    ])
  })

  it('S22 is read from rawBody when a parser kept it as a string', async () => {
    const parser = express.json({
      verify: (request, _response, bytes) => {
        Object.assign(request, { rawBody: bytes.toString() })
      },
    })
    expect(await post(createShop(), Buffer.from(text), { parser })).toBe(200)
  })
})

import { describe, expect, test } from 'vitest'
import { startShop } from './harness.js'

describe('bad input', () => {
  test.each([
    ['an unknown product', { product: 'yacht' }],
    ['no product', {}],
    ['a product that is no text', { product: { id: 'mug' } }],
    ['null', 'null'],
  ])('POST /orders with %s is answered 400 with the choices', async (_, body) => {
    const shop = await startShop()
    const answer = await shop.post('/orders', body)

    expect(answer.status).toBe(400)
    expect(answer.body).toEqual({
      error: {
        code: expect.stringMatching(/^(unknown_product|bad_request)$/),
        message: expect.any(String),
      },
    })
    const open = []
    for await (const order of shop.stores.orders.listOpen({})) open.push(order)
    expect(open).toEqual([])
  })

  test('an unknown product is answered with the known ones', async () => {
    const { body } = await (await startShop()).post('/orders', { product: 'yacht' })

    expect(body).toEqual({
      error: {
        code: 'unknown_product',
        message: 'Send JSON with "product" set to one of: postcard, mug, hoodie, gift-box',
      },
    })
  })

  test('a body that is no JSON is answered 400', async () => {
    const { status, body } = await (await startShop()).post('/orders', '{"product":')

    expect(status).toBe(400)
    expect(body).toMatchObject({ error: { code: 'bad_request' } })
  })

  test.each(['/orders/nope', '/orders/nope/events'])('%s is answered 404', async (path) => {
    const { url } = await startShop()
    const answer = await fetch(`${url}${path}`, { headers: { accept: 'application/json' } })

    expect(answer.status).toBe(404)
    expect(await answer.json()).toEqual({
      error: { code: 'unknown_order', message: 'There is no order "nope"' },
    })
  })

  test('a person who opens an unknown order gets a page that says so', async () => {
    const { url } = await startShop()
    const answer = await fetch(`${url}/orders/nope`, { headers: { accept: 'text/html' } })

    expect(answer.status).toBe(404)
    expect(await answer.text()).toContain('We do not know this order')
  })

  test('a gateway that fails is answered 500 without its reason, and logged', async () => {
    const createTransfer = () => Promise.reject(new Error('the key is whsec_oops'))
    const shop = await startShop({ gateway: { createTransfer } })

    const { status, body } = await shop.post('/orders', { product: 'mug' })

    expect(status).toBe(500)
    expect(JSON.stringify(body)).not.toContain('whsec_oops')
    expect(shop.logger.lines.some(({ level }) => level === 'error')).toBe(true)
  })
})

describe('pages', () => {
  test.each(['/', '/orders/nope', '/shop.css'])('%s allows this server alone', async (path) => {
    const { url } = await startShop()
    const { headers } = await fetch(`${url}${path}`, { headers: { accept: 'text/html' } })

    expect(headers.get('content-security-policy')).toContain("default-src 'self'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.has('x-powered-by')).toBe(false)
  })

  test('every product has a price and a picture', async () => {
    const { url } = await startShop()
    // What GET /products answers.
    const products = (await (await fetch(`${url}/products`)).json()) as {
      id: string
      price: string
    }[]

    expect(products.map(({ price }) => price)).toEqual([
      '0.5 TON',
      '2.25 TON',
      '10.5 TON',
      '25 USD₮',
    ])
    for (const { id } of products) {
      const picture = await fetch(`${url}/products/${id}.svg`)
      expect(picture.headers.get('content-type')).toContain('image/svg+xml')
    }
  })
})

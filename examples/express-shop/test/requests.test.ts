import { describe, expect, test } from 'vitest'
import { startShop } from './harness.js'

describe('bad input', () => {
  test.each([
    ['an unknown product', { product: 'yacht' }],
    ['no product', {}],
    ['a product that is not a string', { product: { id: 'mug' } }],
    ['null', 'null'],
  ])('rejects POST /orders with %s with 400 and the choices', async (_, body) => {
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
    for await (const order of shop.stores.orders.listOpen({ limit: 10 })) open.push(order)
    expect(open).toEqual([])
  })

  test('lists the known products for an unknown one', async () => {
    const { body } = await (await startShop()).post('/orders', { product: 'yacht' })

    expect(body).toEqual({
      error: {
        code: 'unknown_product',
        message: 'Send JSON with "product" set to one of: postcard, mug, hoodie, gift-box',
      },
    })
  })

  test('rejects a body that is not JSON with 400', async () => {
    const { status, body } = await (await startShop()).post('/orders', '{"product":')

    expect(status).toBe(400)
    expect(body).toMatchObject({ error: { code: 'bad_request' } })
  })

  test.each(['/orders/nope', '/orders/nope/events'])('responds to %s with 404', async (path) => {
    const { url } = await startShop()
    const answer = await fetch(`${url}${path}`, { headers: { accept: 'application/json' } })

    expect(answer.status).toBe(404)
    expect(await answer.json()).toEqual({
      error: { code: 'unknown_order', message: 'Unknown order "nope"' },
    })
  })

  test('shows a page for an unknown order', async () => {
    const { url } = await startShop()
    const answer = await fetch(`${url}/orders/nope`, { headers: { accept: 'text/html' } })

    expect(answer.status).toBe(404)
    expect(await answer.text()).toContain('We do not know this order')
  })

  test('responds with 500 without the reason when the gateway fails, and logs it', async () => {
    const createTransfer = () => Promise.reject(new Error('the key is whsec_oops'))
    const shop = await startShop({ gateway: { createTransfer } })

    const { status, body } = await shop.post('/orders', { product: 'mug' })

    expect(status).toBe(500)
    expect(JSON.stringify(body)).not.toContain('whsec_oops')
    expect(shop.logger.lines.some(({ level }) => level === 'error')).toBe(true)
  })
})

describe('pages', () => {
  test.each(['/', '/orders/nope', '/shop.css'])('%s allows this server only', async (path) => {
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

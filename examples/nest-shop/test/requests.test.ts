import { describe, expect, test } from 'vitest'
import { startShop } from './harness.js'

describe('requests', () => {
  test.each([['yacht'], [{ id: 'first-light' }], [null]])(
    'POST /orders for %o is answered 400 with the choices',
    async (product) => {
      const shop = await startShop()

      const { status, body } = await shop.post('/orders', { product })

      expect(status).toBe(400)
      expect(body).toMatchObject({
        message: 'Send JSON with "product" set to one of: first-light, late-shift, half-caf',
      })
    },
  )

  test.each(['/orders/nope', '/orders/nope/events'])('%s is answered 404', async (path) => {
    const { url } = await startShop()

    const answer = await fetch(`${url}${path}`)

    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({ message: 'There is no order "nope"' })
  })

  test.each(['/', '/order.html', '/shop.css', '/products'])(
    '%s allows this server alone',
    async (path) => {
      const { url } = await startShop()

      const { status, headers } = await fetch(`${url}${path}`)

      expect(status).toBe(200)
      expect(headers.get('content-security-policy')).toContain("default-src 'self'")
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    },
  )
})

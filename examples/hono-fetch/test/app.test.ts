import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { createPayments, createWebhookReceiver, memoryOrderRepository } from '@tonplug/core'
import { createTestLogger, signPayload, transferCompleted } from '@tonplug/testing'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createApp } from '../src/app.js'

const SECRET = 'whsec_hono_fetch'

let server: ReturnType<typeof createAdaptorServer>
let payments: ReturnType<typeof createPayments>
let receiver: ReturnType<typeof createWebhookReceiver>
let origin: string
let shipped: string[]

beforeEach(async () => {
  shipped = []
  const orders = memoryOrderRepository([
    { reference: 'order-1', rawAmount: 10_500_000_000n, asset: 'TON', status: 'pending' },
  ])
  payments = createPayments({
    orders,
    logger: createTestLogger(),
    onPaid: ({ order }) => shipped.push(order.reference),
  })
  receiver = createWebhookReceiver({ payments, secrets: SECRET })
  server = createAdaptorServer({ fetch: createApp(receiver, orders).fetch })
  server.listen(0)
  await once(server, 'listening')
  // A listening TCP server has an address object.
  origin = `http://localhost:${(server.address() as AddressInfo).port}`
})

afterEach(async () => {
  server.close()
  await receiver.close()
  await payments.close()
})

const { body, headers } = signPayload(transferCompleted({ reference: 'order-1' }), SECRET)

it('S37 completes the order and runs onPaid for a correct, signed delivery', async () => {
  expect((await deliver(body, headers)).status).toBe(200)
  await payments.close()

  expect(await statusOf('order-1')).toBe('completed')
  expect(shipped).toEqual(['order-1'])
})

it('S2 responds with 401 and does not change the order when a byte was changed', async () => {
  expect((await deliver(`${body} `, headers)).status).toBe(401)
  await payments.close()

  expect(await statusOf('order-1')).toBe('pending')
  expect(shipped).toEqual([])
})

it('S26 acknowledges a repeated delivery without a second effect', async () => {
  expect((await deliver(body, headers)).status).toBe(200)
  expect((await deliver(body, headers)).status).toBe(200)
  await payments.close()

  expect(shipped).toEqual(['order-1'])
  expect(receiver.stats()).toMatchObject({ paid: 1, duplicate: 1 })
})

it('S18 responds with 413 to a body longer than maxBodyBytes', async () => {
  const large = signPayload(body + ' '.repeat(65_536), SECRET)

  expect((await deliver(large.body, large.headers)).status).toBe(413)
  expect(await statusOf('order-1')).toBe('pending')
})

it('S23 responds to GET with 405 and the allowed method', async () => {
  const response = await fetch(`${origin}/webhooks/ton`)

  expect(response.status).toBe(405)
  expect(response.headers.get('allow')).toBe('POST')
})

function deliver(text: string, signed: Record<string, string>): Promise<Response> {
  return fetch(`${origin}/webhooks/ton`, { method: 'POST', headers: signed, body: text })
}

async function statusOf(reference: string): Promise<unknown> {
  const response = await fetch(`${origin}/orders/${reference}`)
  // The app under test wrote it.
  return ((await response.json()) as { status: unknown }).status
}

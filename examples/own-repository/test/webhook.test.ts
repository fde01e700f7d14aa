import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { recordingLogger, signPayload, transferCompleted } from '@tonplug/testing'
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest'
import { openDatabase } from '../src/database.js'
import { createShop } from '../src/server.js'

const SECRET = 'whsec_own_repository'

// One database for all tests, since PGlite takes a second to start.
const { db, client, close } = await openDatabase()
afterAll(close)

let shop: ReturnType<typeof createShop>
let origin: string
let shipped: string[]

beforeEach(async () => {
  shipped = []
  shop = createShop({
    db,
    client,
    secret: SECRET,
    logger: recordingLogger(),
    onPaid: ({ order }) => shipped.push(order.item),
  })
  shop.server.listen(0)
  await once(shop.server, 'listening')
  // A listening TCP server has an address object.
  origin = `http://localhost:${(shop.server.address() as AddressInfo).port}`
})

afterEach(async () => {
  shop.server.close()
  await shop.receiver.close()
})

it('S38 completes an order once when twenty signed deliveries arrive together', async () => {
  const reference = await order('cap')
  const { body, headers } = signPayload(transferCompleted({ reference }), SECRET)

  const deliveries = Array.from({ length: 20 }, () => deliver(body, headers))
  expect(await Promise.all(deliveries)).toEqual(Array(20).fill(200))
  await expect.poll(() => shipped.length).toBe(1)
  await shop.receiver.close()

  const paid = await shop.repository.findByReference(reference)
  expect(paid?.status).toBe('completed')
  expect(paid?.payment?.rawAmount).toBe(10_500_000_000n)
  expect(shipped).toEqual(['cap'])
  expect(shop.receiver.stats()).toMatchObject({ paid: 1, duplicate: 19 })
})

it('S2 answers 401 and leaves the order alone when a byte was changed', async () => {
  const reference = await order('cap')
  const { body, headers } = signPayload(transferCompleted({ reference }), SECRET)

  expect(await deliver(body.replace('"10.5"', '"90.5"'), headers)).toBe(401)
  await shop.receiver.close()

  expect((await shop.repository.findByReference(reference))?.status).toBe('pending')
  expect(shipped).toEqual([])
})

async function order(item: string): Promise<string> {
  const response = await fetch(`${origin}/orders?item=${item}`, { method: 'POST' })
  // The server under test wrote it.
  const { reference } = (await response.json()) as { reference: string }
  return reference
}

async function deliver(body: string, headers: Record<string, string>): Promise<number> {
  const response = await fetch(`${origin}/webhooks/ton`, { method: 'POST', headers, body })
  return response.status
}

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { WebhookRequest } from '@tonplug/core'
import { signPayload, transferCompleted } from '@tonplug/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openShop, SECRET, type Shop } from './payments/shop.js'

type Next = (error?: unknown) => void
type Handler = (request: IncomingMessage, response: ServerResponse, next: Next) => unknown

/** Mounts a handler as Express 4 does: its promise is ignored, and only a synchronous throw reaches `next`. */
async function mount(handler: Handler): Promise<{ url: string; errors: unknown[] }> {
  const errors: unknown[] = []
  const server = createServer((request, response) => {
    const next: Next = (error) => {
      errors.push(error)
      response.writeHead(500).end()
    }
    try {
      handler(request, response, next)
    } catch (error) {
      next(error)
    }
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, errors }
}

async function post(url: string): Promise<number> {
  const { body, headers } = signPayload(transferCompleted(), SECRET)
  return (await fetch(url, { method: 'POST', headers, body })).status
}

/** The methods of a receiver, mounted without a bridge. What Express passes does not match their types. */
const mounted: [string, (shop: Shop) => Handler][] = [
  [
    'receiver.receive',
    ({ receiver }) =>
      (...call) =>
        receiver.receive(...(call as unknown as [WebhookRequest])),
  ],
  [
    'receiver.handle',
    ({ receiver }) =>
      (...call) =>
        receiver.handle(...(call as unknown as [Request])),
  ],
]

describe.each(mounted)('%s, mounted in Express 4', (name, handlerOf) => {
  it('S79 passes the error to next, and never rejects', async () => {
    const shop = openShop()
    const { url, errors } = await mount(handlerOf(shop))
    expect([await post(url), await post(url)]).toEqual([500, 500])
    expect((await fetch(url)).status).toBe(500)
    expect(errors).toHaveLength(3)
    const error = { code: 'ERR_TONPLUG_CONFIGURATION', details: { option: name } }
    expect(errors).toMatchObject([error, error, error])
    expect(String(errors[0])).toContain('tonplugWebhook(receiver)')
  })

  it('S79 passes the error to next after close', async () => {
    const shop = openShop()
    await shop.close()
    const { url, errors } = await mount(handlerOf(shop))
    expect(await post(url)).toBe(500)
    expect(errors).toHaveLength(1)
  })
})

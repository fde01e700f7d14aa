import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { ChainSimulator } from '@tonplug/simulator'

/** A proxy in front of both APIs of a chain. A test can intercept each request. */
export interface ChainProxy {
  url: string
  /** Called before a request is forwarded. */
  onRequest: (path: string, body: string) => Promise<void>
  /** Called before a response is forwarded. @returns false to drop the response. */
  onResponse: (path: string) => boolean
}

/** Starts a proxy. Closed after the test. */
export async function startProxy({ url }: ChainSimulator): Promise<ChainProxy> {
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    void forward(request, response).catch(() => response.destroy())
  })
  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? ''
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const sent = Buffer.concat(chunks).toString()
    await proxy.onRequest(path, sent)
    const { method = 'GET' } = request
    const body = method === 'POST' ? sent : null
    const received = await fetch(url + path, { method, body })
    const text = await received.text()
    if (!proxy.onResponse(path)) {
      response.destroy()
      return
    }
    response.writeHead(received.status, { 'content-type': 'application/json' })
    response.end(text)
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  })
  const proxy: ChainProxy = {
    // A listening TCP server has an address object.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    onRequest: async () => undefined,
    onResponse: () => true,
  }
  return proxy
}

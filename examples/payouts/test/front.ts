import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { ChainSimulator } from '@tonplug/testing/simulator'

/** One address for both APIs of a chain, where a test can do something at each request. */
export interface Front {
  url: string
  /** Before a request reaches its server. */
  onAsked: (path: string, body: string) => Promise<void>
  /** When a server has answered and nobody knows. @returns whether the answer gets through. */
  onAnswered: (path: string) => boolean
}

/** Serves until the test ends. */
export async function startFront({ url }: ChainSimulator): Promise<Front> {
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy())
  })
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? ''
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const sent = Buffer.concat(chunks).toString()
    await front.onAsked(path, sent)
    const { method = 'GET' } = request
    const body = method === 'POST' ? sent : null
    const answered = await fetch(url + path, { method, body })
    const text = await answered.text()
    if (!front.onAnswered(path)) {
      response.destroy()
      return
    }
    response.writeHead(answered.status, { 'content-type': 'application/json' })
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
  const front: Front = {
    // It listens on a port.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    onAsked: async () => undefined,
    onAnswered: () => true,
  }
  return front
}

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** Serves the payment gateway's API until the test ends: every transfer is `ref-1`, and pending. */
export async function startGateway(): Promise<{ baseUrl: string; keys: (string | undefined)[] }> {
  const keys: (string | undefined)[] = []
  const server = createServer((request, response) => {
    // Node makes one text of a header that is sent once.
    keys.push(request.headers['x-api-key'] as string | undefined)
    const message = { address: `0:${'0'.repeat(64)}`, amount: '10500000000', payload: 'te6ccgEA' }
    const created = { message, bodyBase64Hash: `${'A'.repeat(43)}=`, reference: 'ref-1' }
    const answer = request.method === 'POST' ? created : { reference: 'ref-1', status: 'pending' }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  // It listens on a port.
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, keys }
}

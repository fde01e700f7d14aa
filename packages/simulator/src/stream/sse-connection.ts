import type { IncomingMessage, ServerResponse } from 'node:http'
import { readText } from '../server/http-server.js'
import type { Connections } from './connections.js'
import { InvalidSubscriptionError, readSubscription } from './subscription.js'

/** The interval of the comments of the real server. */
const KEEP_ALIVE_MS = 15_000

/** Serves a request for server-sent events. */
export async function serveSse(
  connections: Connections,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const refuse = (status: number, id: unknown, error: string): void => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ ...(typeof id === 'string' && { id }), error }))
  }
  if (message.method !== 'POST') return refuse(404, undefined, 'Not Found')
  const fields = await readBody(message)
  if (fields === undefined) return refuse(400, undefined, 'invalid subscription request')
  const { id } = fields
  try {
    const subscription = readSubscription(fields)
    const limit = connections.limit()
    if (limit !== undefined) return refuse(429, id, limit)
    connections.checkAddresses(0, subscription)
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
    const connection = connections.open({
      event: (text) => response.write(`event: event\ndata: ${text}\n\n`),
      keepAlive: () => response.write(': keepalive\n\n'),
      destroy: () => message.socket.destroy(),
    })
    connection.subscription = subscription
    const status = JSON.stringify({ ...(typeof id === 'string' && { id }), status: 'subscribed' })
    response.write(`event: connected\ndata: ${status}\n\n`)
    const keepAlive = setInterval(() => connection.keepAlive(), KEEP_ALIVE_MS)
    response.on('close', () => {
      clearInterval(keepAlive)
      connections.closed(connection)
    })
  } catch (error) {
    if (!(error instanceof InvalidSubscriptionError)) throw error
    refuse(400, id, error.message)
  }
}

async function readBody(message: IncomingMessage): Promise<Record<string, unknown> | undefined> {
  try {
    const body: unknown = JSON.parse(await readText(message))
    return typeof body === 'object' && body !== null ? { ...body } : undefined
  } catch {
    return undefined
  }
}

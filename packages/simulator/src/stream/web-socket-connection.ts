import { Address } from '@ton/core'
import type { WebSocket } from 'ws'
import { readHash } from '../shared/encodings.js'
import type { StreamConnection } from './connection.js'
import type { Connections } from './connections.js'
import { InvalidSubscriptionError, readSubscription } from './subscription.js'

/** Serves an open WebSocket. */
export function serveWebSocket(connections: Connections, socket: WebSocket): void {
  const limit = connections.limit()
  if (limit !== undefined) {
    socket.send(JSON.stringify({ error: limit }))
    socket.close()
    return
  }
  const connection = connections.open({
    event: (text) => socket.send(text),
    keepAlive: () => undefined,
    destroy: () => socket.terminate(),
  })
  socket.on('message', (data: Buffer) => {
    if (connections.faults.isHalfOpen) return
    socket.send(JSON.stringify(answer(connections, connection, data.toString())))
  })
  socket.on('error', () => undefined)
  socket.on('close', () => connections.closed(connection))
}

function answer(connections: Connections, connection: StreamConnection, text: string): object {
  let fields: Record<string, unknown>
  try {
    fields = { ...(JSON.parse(text) as object) }
  } catch {
    return { error: 'invalid request envelope' }
  }
  const id = typeof fields['id'] === 'string' ? { id: fields['id'] } : {}
  try {
    return { ...id, status: run(connections, connection, fields) }
  } catch (error) {
    if (!(error instanceof InvalidSubscriptionError)) throw error
    return { ...id, error: error.message }
  }
}

/** @throws {InvalidSubscriptionError} the old subscription stays. */
function run(
  connections: Connections,
  connection: StreamConnection,
  fields: Record<string, unknown>,
): string {
  const { subscription } = connection
  switch (fields['operation']) {
    case 'ping':
      return 'pong'
    case 'subscribe': {
      const next = readSubscription(fields)
      connections.checkAddresses(subscription?.addresses.size ?? 0, next)
      const isKept = fields['min_finality'] === undefined && subscription !== undefined
      connection.subscription = isKept ? { ...next, minFinality: subscription.minFinality } : next
      return 'subscribed'
    }
    case 'unsubscribe':
      if (subscription !== undefined) connection.subscription = without(subscription, fields)
      return 'unsubscribed'
    default:
      throw new InvalidSubscriptionError(`unknown operation: ${String(fields['operation'])}`)
  }
}

function without(
  subscription: NonNullable<StreamConnection['subscription']>,
  fields: Record<string, unknown>,
): NonNullable<StreamConnection['subscription']> {
  const list = (name: string): string[] => {
    const value = fields[name]
    return Array.isArray(value) ? value.map(String) : []
  }
  const addresses = new Set(subscription.addresses)
  const traces = new Set(subscription.traces)
  for (const text of list('addresses')) addresses.delete(Address.parse(text).toRawString())
  for (const text of list('trace_external_hash_norms')) traces.delete(readHash(text))
  return { ...subscription, addresses, traces }
}

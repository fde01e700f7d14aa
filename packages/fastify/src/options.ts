import { ConfigurationError } from '@tonplug/core'
import type { Payments, WebhookReceiver } from '@tonplug/core'
import {
  checkMethod,
  checkNames,
  checkOrderStatusStream,
  type ClientsOptions,
} from '@tonplug/core/bridge'
import type { DeskMount } from './desk.js'
import type { HealthSource } from './health.js'
import type { OrderStatusStreamRoute } from './order-status-stream.js'

/** Options of {@link tonplugFastify}. Each part needs its own ones only. */
export interface TonplugFastifyOptions {
  /** The path of the webhook, for example `/webhooks/ton`. */
  path?: string | undefined
  /** The receiver of the webhook, from `createWebhookReceiver()`. */
  receiver?: Pick<WebhookReceiver, 'receive'> | undefined
  /** For `orderStatusStream`, and for `health` with one path. */
  payments?: Pick<Payments, 'watchStatus' | 'internals' | 'health'> | undefined
  /** The route with the status of an order, for example `/orders/:reference/events`. */
  orderStatusStream?: string | OrderStatusStreamRoute | undefined
  /** The path with the health of `payments`, or several paths with the health of each: `{ '/ready': payments, '/watcher': watcher }`. */
  health?: string | Readonly<Record<string, HealthSource>> | undefined
  /** Mounts a desk. */
  desk?: DeskMount | undefined
  /** Sets the clients as `fastify.tonplug`. */
  clients?: ClientsOptions | undefined
  /** Sets the clients of a second shop as `fastify.tonplug.<name>`. */
  name?: string | undefined
}

const PARTS = [
  'path',
  'receiver',
  'payments',
  'orderStatusStream',
  'health',
  'desk',
  'clients',
  'name',
]

/** Options of `register` itself, which Fastify passes on. */
export interface PassedByFastify {
  prefix?: string
  logLevel?: unknown
  logSerializers?: unknown
  encapsulate?: unknown
}

/** The options in one form each. */
export interface ResolvedOptions {
  webhook: { path: string; receiver: Pick<WebhookReceiver, 'receive'> } | undefined
  payments: Pick<Payments, 'watchStatus' | 'internals' | 'health'> | undefined
  orderStatusStream: OrderStatusStreamRoute | undefined
  health: Readonly<Record<string, HealthSource>>
}

/** @throws {ConfigurationError} for an option that is unknown, missing or invalid. */
export function resolveOptions(given: TonplugFastifyOptions & PassedByFastify): ResolvedOptions {
  const { prefix: _p, logLevel: _l, logSerializers: _s, encapsulate: _e, ...options } = given
  checkNames('tonplugFastify', options, PARTS)
  const { path, receiver, payments, desk, clients, name } = given
  if (path === undefined && receiver !== undefined) {
    throw invalid('path', "is missing; set the path of the webhook, for example '/webhooks/ton'")
  }
  if (path !== undefined) {
    checkPath('path', path)
    const expected = 'a receiver from createWebhookReceiver()'
    checkMethod('receiver', receiver, { method: 'receive', expected })
  }
  const { orderStatusStream: stream } = given
  const orderStatusStream = typeof stream === 'string' ? { path: stream } : stream
  if (orderStatusStream !== undefined) {
    checkOrderStatusStream(payments, orderStatusStream, ['path', 'key', 'maxStreams'])
    checkPath('orderStatusStream', orderStatusStream.path)
    if (orderStatusStream.key === undefined && !orderStatusStream.path.includes(':reference')) {
      throw invalid('orderStatusStream', 'must be a path with :reference, or have a key')
    }
  }
  const { health: sources = {} } = given
  const health: unknown = typeof sources === 'string' ? { [sources]: payments } : sources
  const expected = 'a path with payments, or paths with their sources'
  if (typeof health !== 'object' || health === null) throw invalid('health', `must be ${expected}`)
  for (const [at, source] of Object.entries(health)) {
    checkPath('health', at)
    checkMethod('health', source, { method: 'health', expected })
  }
  if (desk !== undefined) {
    checkNames('desk', desk, ['path', 'handler'])
    checkPath('desk.path', desk.path)
    if (typeof desk.handler !== 'function') throw invalid('desk.handler', 'must be tonplugDesk(…)')
  }
  if (name !== undefined && (typeof name !== 'string' || name === '')) {
    throw invalid('name', 'must be a non-empty string')
  }
  if (name !== undefined && clients === undefined) {
    throw invalid('name', 'requires clients, which it names')
  }
  return {
    webhook: path === undefined || receiver === undefined ? undefined : { path, receiver },
    payments,
    orderStatusStream,
    // Checked above.
    health: health as Record<string, HealthSource>,
  }
}

function checkPath(option: string, path: unknown): void {
  if (typeof path === 'string' && path.startsWith('/')) return
  throw invalid(option, "must be a path that begins with '/'")
}

function invalid(option: string, problem: string): ConfigurationError {
  return new ConfigurationError({ option, problem })
}

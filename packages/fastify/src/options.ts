import { ConfigurationError } from '@tonplug/core'
import type { Payments, WebhookReceiver } from '@tonplug/core'
import type { ClientsOptions } from '@tonplug/core/bridge'
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
/** Options that Fastify itself passes on. */
const OF_FASTIFY = ['prefix', 'logLevel', 'logSerializers', 'encapsulate']

/** The options in one form each. */
export interface ResolvedOptions {
  webhook: { path: string; receiver: Pick<WebhookReceiver, 'receive'> } | undefined
  payments: Pick<Payments, 'watchStatus' | 'internals' | 'health'> | undefined
  orderStatusStream: OrderStatusStreamRoute | undefined
  health: Readonly<Record<string, HealthSource>>
}

/** @throws {ConfigurationError} for an option that is unknown, missing or invalid. */
export function resolveOptions(given: TonplugFastifyOptions): ResolvedOptions {
  const unknown = Object.keys(given).find((name) => ![...PARTS, ...OF_FASTIFY].includes(name))
  if (unknown !== undefined)
    throw invalid(unknown, `is not an option; expected ${PARTS.join(', ')}`)
  const { path, receiver, payments, desk, name } = given
  if (path === undefined && receiver !== undefined) {
    throw invalid('path', "is missing; set the path of the webhook, for example '/webhooks/ton'")
  }
  if (path !== undefined) {
    checkPath('path', path)
    checkMethod('receiver', receiver, ['receive', 'a receiver from createWebhookReceiver()'])
  }
  const { orderStatusStream: stream } = given
  const orderStatusStream = typeof stream === 'string' ? { path: stream } : stream
  if (orderStatusStream !== undefined) {
    checkPath('orderStatusStream', orderStatusStream.path)
    checkMethod('payments', payments, ['watchStatus', 'the result of createPayments()'])
    const { key, maxStreams = 1 } = orderStatusStream
    if (!(typeof maxStreams === 'number' && maxStreams > 0)) {
      throw invalid('orderStatusStream.maxStreams', 'must be a number above zero')
    }
    if (key !== undefined && typeof key !== 'function') {
      throw invalid(
        'orderStatusStream.key',
        'must be a function that returns a reference or an order key',
      )
    }
    if (key === undefined && !orderStatusStream.path.includes(':reference')) {
      throw invalid('orderStatusStream', 'must be a path with :reference, or have a key')
    }
  }
  const health =
    typeof given.health === 'string' ? { [given.health]: payments } : (given.health ?? {})
  for (const [at, source] of Object.entries(health)) {
    checkPath('health', at)
    checkMethod('health', source, ['health', 'a path with payments, or paths with their sources'])
  }
  if (desk !== undefined) {
    checkPath('desk.path', desk.path)
    if (typeof desk.handler !== 'function') throw invalid('desk.handler', 'must be tonplugDesk(…)')
  }
  if (name !== undefined && (typeof name !== 'string' || name === '')) {
    throw invalid('name', 'must be a non-empty string')
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

function checkMethod(option: string, value: unknown, [method, expected]: [string, string]): void {
  const isObject = typeof value === 'object' && value !== null
  if (isObject && typeof Reflect.get(value, method) === 'function') return
  const received = value === null || value === undefined ? String(value) : typeof value
  throw invalid(option, `must be ${expected}; received ${received}`)
}

function invalid(option: string, problem: string): ConfigurationError {
  return new ConfigurationError({ option, problem })
}

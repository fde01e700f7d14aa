import type { QueuedTask } from '@tonplug/core'

/**
 * Returns the name of the queue of a handler, for example `tonplug-onPaid.ship@default`. Equal for equal pairs only: both
 * parts are encoded without `@`, and without the colon that BullMQ forbids.
 */
export function queueName({ name, handler }: Pick<QueuedTask, 'name' | 'handler'>): string {
  return `tonplug-${encodeURIComponent(handler)}@${encodeURIComponent(name)}`
}

/**
 * Returns the job id of a task. BullMQ forbids colons and integers. Slashes are encoded too, since some proxies in front
 * of dashboards change them in URLs.
 */
export function jobId({ idempotencyKey }: Pick<QueuedTask, 'idempotencyKey'>): string {
  return `task-${idempotencyKey.replaceAll(/[%:/]/gu, encodeURIComponent)}`
}

import { Cluster, Redis } from 'ioredis'
import { expect, it, onTestFinished } from 'vitest'
import { bullmqQueue, type BullmqQueueOptions } from '../src/bullmq-queue.js'

const all: Required<BullmqQueueOptions> = {
  connection: { host: '127.0.0.1' },
  prefix: 'shop',
  keepCompletedMs: 60_000,
}

it('rejects a misspelled option', () => {
  const misspelled = { ...all, Prefix: 'shop' }
  expect(() => bullmqQueue(misspelled)).toThrow(
    expect.objectContaining({
      code: 'ERR_TONPLUG_CONFIGURATION',
      message: expect.stringContaining('did you mean prefix?'),
    }),
  )
})

it('accepts all options, and does not connect before it is used', async () => {
  const queue = bullmqQueue(all)
  expect(queue.name).toBe('bullmq')
  await queue.close()
})

it.each<[string, unknown]>([
  ["connection: must be { url: 'redis://…' }", 'redis://:hunter2@127.0.0.1'],
  ["connection: must be { url: 'redis://…' }", null],
  ["connection: must be { url: 'redis://…' }", undefined],
  ['connection.url: must be the URL of a Redis server', { url: '' }],
  ['connection.url: must be the URL of a Redis server', { url: null }],
  ['connection.url: must be set', { url: 'undefined' }],
  ['connection.url: must not contain', { url: 'redis://undefined:6379' }],
  ['connection.url: must not be a reference', { url: 'redis://:${REDIS_PASSWORD}@127.0.0.1' }],
  ['connection.url: must not have quotes', { url: '"redis://:hunter2@127.0.0.1"' }],
  ['connection.host: must be set', { host: 'undefined' }],
  ['connection.password: must not be a reference', { host: '127.0.0.1', password: '$PASSWORD' }],
])('rejects a connection that BullMQ would replace by localhost: %s', (message, connection) => {
  const given = { connection } as BullmqQueueOptions
  expect(() => bullmqQueue(given)).toThrow(message)
  expect(() => bullmqQueue(given)).not.toThrow('hunter2')
})

it.each([0, -1, Number.NaN])('rejects keepCompletedMs %s', (keepCompletedMs) => {
  expect(() => bullmqQueue({ ...all, keepCompletedMs })).toThrow(
    'keepCompletedMs: must be a number of milliseconds above 0',
  )
})

/** Returns a client that never connects. */
function clientOf(options: object): Redis {
  const client = new Redis({ lazyConnect: true, maxRetriesPerRequest: null, ...options })
  onTestFinished(() => client.disconnect())
  return client
}

function clusterOf(options: object): Cluster {
  const cluster = new Cluster([{ host: '127.0.0.1', port: 7000 }], {
    lazyConnect: true,
    ...options,
  })
  cluster.on('error', () => undefined)
  onTestFinished(() => cluster.disconnect())
  return cluster
}

it.each<[string, () => unknown]>([
  ['connection.keyPrefix', () => ({ host: '127.0.0.1', keyPrefix: 'shop:' })],
  ['connection.url.keyPrefix', () => ({ url: 'redis://127.0.0.1/0?db=1&keyPrefix=shop:' })],
  ['connection.options.keyPrefix', () => clientOf({ keyPrefix: 'shop:' })],
  [
    'connection.options.redisOptions.stringNumbers',
    () => clusterOf({ redisOptions: { stringNumbers: true } }),
  ],
  ['connection.options.keyPrefix', () => clusterOf({ redisOptions: { keyPrefix: 'shop:' } })],
  ['connection.options.keyPrefix', () => clusterOf({ keyPrefix: 'shop:' })],
  ['connection.options.maxRetriesPerRequest', () => clientOf({ maxRetriesPerRequest: 20 })],
  ['connection.options.maxRetriesPerRequest', () => clientOf({ maxRetriesPerRequest: 0 })],
  ['connection.options.maxRetriesPerRequest', () => clientOf({ maxRetriesPerRequest: undefined })],
  [
    'connection.url.maxRetriesPerRequest',
    () => ({ url: 'redis://127.0.0.1?maxRetriesPerRequest=3' }),
  ],
  ['connection.stringNumbers', () => ({ host: '127.0.0.1', stringNumbers: true })],
  ['connection.options.stringNumbers', () => clientOf({ stringNumbers: true })],
  ['connection.commandTimeout', () => ({ host: '127.0.0.1', commandTimeout: 1000 })],
  ['connection.options.commandTimeout', () => clientOf({ commandTimeout: 1000 })],
  ['connection.retryStrategy', () => ({ host: '127.0.0.1', retryStrategy: null })],
  ['connection.options.retryStrategy', () => clientOf({ retryStrategy: false })],
  ['connection.role', () => ({ sentinels: [{ host: '127.0.0.1' }], name: 'shop', role: 'slave' })],
  ['prefix', () => clusterOf({})],
  ['connection', () => new Map([['host', '127.0.0.1']])],
  ['connection', () => Promise.resolve({ host: '127.0.0.1' })],
  ['connection', () => ['127.0.0.1']],
  ['connection', () => otherClient()],
])('S111 rejects a connection that BullMQ cannot work with by name: %s', (option, connect) => {
  const given = { connection: connect() } as BullmqQueueOptions
  expect(() => bullmqQueue(given)).toThrow(
    expect.objectContaining({
      code: 'ERR_TONPLUG_CONFIGURATION',
      message: expect.stringMatching(new RegExp(`(^|\\W)${option.replaceAll('.', '\\.')}: must `)),
    }),
  )
})

it.each<[string, () => object, string?]>([
  ['options with an empty key prefix', () => ({ host: '127.0.0.1', keyPrefix: '' })],
  ['options that BullMQ corrects', () => ({ host: '127.0.0.1', maxRetriesPerRequest: 20 })],
  ['options that fail fast', () => ({ host: '127.0.0.1', enableOfflineQueue: false })],
  ['a client', () => clientOf({})],
  ['a cluster and a prefix with a hash tag', () => clusterOf({}), '{shop}'],
  ['an instance of a class with a host', () => Object.assign(Object.create({}), { host: 'redis' })],
])('accepts %s', async (_title, connect, prefix = 'bull') => {
  const queue = bullmqQueue({ connection: connect(), prefix } as BullmqQueueOptions)
  await expect(queue.close()).resolves.toBeUndefined()
})

/** A client of another library, as BullMQ recognizes one. */
function otherClient(): object {
  const call = () => Promise.resolve()
  return { connect: call, disconnect: call, duplicate: call, sendCommand: call, isOpen: false }
}

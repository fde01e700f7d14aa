import { describeSettingMistake } from '@tonplug/core'

/** An option of a connection that BullMQ cannot work with. */
export interface ConnectionProblem {
  /** The path of the option, for example `['connection', 'keyPrefix']`. */
  path: string[]
  /** Begins with `must`. */
  message: string
  input: unknown
}

/** Options of ioredis that are checked. */
type RedisOptions = Readonly<Record<string, unknown>>

/** BullMQ waits for jobs with a command that takes up to 10 seconds. */
const MIN_COMMAND_TIMEOUT_MS = 15_000

export const NOT_A_CLIENT =
  "must be { url: 'redis://…' }, other options of ioredis, or a client of ioredis"
const NO_HASH_TAG =
  'must contain a hash tag for a Redis Cluster, since all keys of a queue must be on one node. Use for example {bull}'

/** Values that BullMQ needs. An absent option is right. */
const RULES: Readonly<
  Record<string, { isRight: (value: unknown) => boolean; message: string; where?: 'client' }>
> = {
  keyPrefix: {
    isRight: (value) => value === '',
    message:
      'must be absent: BullMQ cannot work with key prefixes of ioredis. Use the option `prefix` of bullmqQueue instead',
  },
  maxRetriesPerRequest: {
    isRight: (value) => value === null,
    message:
      'must be null, since BullMQ waits for jobs with one command. Pass { maxRetriesPerRequest: null } to the client',
    where: 'client',
  },
  stringNumbers: {
    isRight: (value) => value === false,
    message: 'must be absent: BullMQ would run jobs again and again',
  },
  commandTimeout: {
    isRight: (value) => typeof value === 'number' && value >= MIN_COMMAND_TIMEOUT_MS,
    message: `must be absent or at least ${MIN_COMMAND_TIMEOUT_MS}, since BullMQ waits for jobs with commands of up to 10 seconds`,
  },
  retryStrategy: {
    isRight: (value) => typeof value === 'function',
    message: 'must be a function or absent: without it, a lost connection is never opened again',
  },
  clusterRetryStrategy: {
    isRight: (value) => typeof value === 'function',
    message: 'must be a function or absent: without it, a lost connection is never opened again',
  },
  role: {
    isRight: (value) => value === 'master',
    message: 'must be master: jobs cannot be stored on a replica',
  },
  mode: {
    isRight: (value) => value !== 'subscriber' && value !== 'monitor',
    message: 'must not be a connection that is subscribed to channels. Pass another client',
  },
}

/** Returns the first option that BullMQ cannot work with; `undefined` without one. Nothing is connected. */
export function findConnectionProblem(
  connection: unknown,
  prefix: string,
): ConnectionProblem | undefined {
  if (typeof connection !== 'object' || connection === null) {
    return { path: ['connection'], message: NOT_A_CLIENT, input: connection }
  }
  if (!isClient(connection)) return findOptionProblem(connection, ['connection'])
  // Only clients of ioredis, and adapters of them, have this method.
  if (!('defineCommand' in connection)) {
    const message =
      'must be a client of ioredis, or options of one. Other clients are not supported'
    return { path: ['connection'], message, input: connection }
  }
  const options = objectOf(connection, 'options')
  const problem =
    findRuleProblem(
      { ...options, mode: read(connection, 'mode') },
      ['connection', 'options'],
      true,
    ) ??
    findRuleProblem(
      objectOf(options, 'redisOptions'),
      ['connection', 'options', 'redisOptions'],
      true,
    )
  if (problem !== undefined) return problem
  if (read(connection, 'isCluster') !== true || /\{[^{}]+\}/.test(prefix)) return undefined
  return { path: ['prefix'], message: NO_HASH_TAG, input: prefix }
}

/** Options, for which BullMQ creates clients. */
function findOptionProblem(options: object, path: string[]): ConnectionProblem | undefined {
  // BullMQ would use localhost for a Promise or a Map.
  const isPlain = [Object.prototype, null].includes(Object.getPrototypeOf(options) as null)
  if (!isPlain && !['url', 'host', 'port', 'path', 'sentinels'].some((name) => name in options)) {
    return { path, message: NOT_A_CLIENT, input: options }
  }
  const problem =
    findRuleProblem(options as RedisOptions, path, false) ?? findSettingMistake(options, path)
  const url = read(options, 'url')
  // ioredis reads options from the query, and prefers them to others.
  return problem === undefined && typeof url === 'string'
    ? findRuleProblem(queryOf(url), [...path, 'url'], true)
    : problem
}

/** Returns a setting that can only be a mistake, for example an environment variable that is not set. */
function findSettingMistake(options: object, path: string[]): ConnectionProblem | undefined {
  for (const name of ['url', 'host', 'username', 'password']) {
    if (!(name in options)) continue
    const input = read(options, name)
    const message = describeSettingMistakeOf(name, input)
    if (message !== undefined) return { path: [...path, name], message, input }
  }
  return undefined
}

function describeSettingMistakeOf(name: string, value: unknown): string | undefined {
  if (typeof value === 'string' && value.trim() !== '') {
    return describeSettingMistake(value, { isLocation: name === 'url' })
  }
  return name === 'url'
    ? 'must be the URL of a Redis server. Set its environment variable, or use host and port instead'
    : undefined
}

function findRuleProblem(
  options: RedisOptions,
  path: string[],
  isClientOption: boolean,
): ConnectionProblem | undefined {
  for (const [name, { isRight, message, where }] of Object.entries(RULES)) {
    const input = options[name]
    const isAbsent =
      input === undefined || (input === null && (name === 'keyPrefix' || name === 'commandTimeout'))
    if (isAbsent || isRight(input) || (where === 'client' && !isClientOption)) continue
    return { path: [...path, name], message, input }
  }
  return undefined
}

function queryOf(url: string): RedisOptions {
  const [, query = ''] = url.split('?', 2)
  const given = Object.fromEntries(new URLSearchParams(query))
  const { commandTimeout } = given
  return commandTimeout === undefined ? given : { ...given, commandTimeout: Number(commandTimeout) }
}

/** BullMQ recognizes a client in the same way. */
function isClient(value: object): boolean {
  return ['connect', 'disconnect', 'duplicate'].every(
    (name) => typeof read(value, name) === 'function',
  )
}

function objectOf(value: object, name: string): RedisOptions {
  const found = read(value, name)
  return typeof found === 'object' && found !== null ? (found as RedisOptions) : {}
}

function read(value: object, name: string): unknown {
  return Reflect.get(value, name)
}

import { spawn, spawnSync } from 'node:child_process'
import { freePort } from '@tonplug/test-support/free-port'
import { Redis } from 'ioredis'
import { onTestFinished } from 'vitest'

/** True when a Redis server can be started. */
export const canStartRedis = spawnSync('redis-server', ['--version']).status === 0

/** For titles: why tests that start Redis are skipped. */
export const NEEDS_OWN_REDIS = canStartRedis
  ? 'a Redis of its own'
  : 'a Redis of its own (skipped: redis-server is not installed)'

/** Starts a Redis server that only one test uses. @returns its options. */
export async function startRedis(...settings: string[]): Promise<{ host: string; port: number }> {
  const port = await freePort()
  const server = spawn(
    'redis-server',
    ['--port', String(port), '--bind', '127.0.0.1', '--save', '', ...settings],
    { stdio: 'ignore' },
  )
  onTestFinished(() => void server.kill('SIGKILL'))
  const redis = new Redis({ host: '127.0.0.1', port, maxRetriesPerRequest: null })
  redis.on('error', () => undefined)
  await redis.ping()
  redis.disconnect()
  return { host: '127.0.0.1', port }
}

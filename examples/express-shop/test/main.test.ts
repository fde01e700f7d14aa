import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { signPayload, transferCompleted } from '@tonplug/testing'
import pg from 'pg'
import { describe, expect, inject, onTestFinished, test } from 'vitest'

const SECRET = 'whsec_shop_test'
const START_TIMEOUT_MS = 60_000
const { TEST_DATABASE_URL, DATABASE_URL } = process.env
const serverUrl = TEST_DATABASE_URL ?? DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'
const isDemanded = (TEST_DATABASE_URL ?? DATABASE_URL) !== undefined
const hasPostgres =
  isDemanded ||
  (await onServer('SELECT 1').then(
    () => true,
    () => false,
  ))
const postgres = hasPostgres
  ? 'PostgreSQL'
  : 'PostgreSQL (skipped: not reachable; set TEST_DATABASE_URL)'

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url))

/** Starts the compiled shop. */
async function start(
  env: Record<string, string>,
): Promise<ChildProcess & { lines: AsyncIterator<string> }> {
  const child = spawn(process.execPath, [main], {
    env: { PATH: process.env['PATH'], PORT: '0', DATA_DIR: await makeFolder(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return Object.assign(child, { lines })
}

/** Creates a folder that is deleted after the test. */
async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tonplug-shop-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

/** Copies an empty database, because creating one takes seconds. It is deleted after the test. */
async function makeDatabase(): Promise<string> {
  const folder = await makeFolder()
  await cp(inject('emptyPGlite').folder, folder, { recursive: true })
  return folder
}

async function onServer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl, connectionTimeoutMillis: 5000 })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

async function readUrl(lines: AsyncIterator<string>): Promise<string> {
  const { value } = await lines.next()
  const url = /open at (?<url>http:\/\/127\.0\.0\.1:\d+)/.exec(`${value}`)?.groups?.['url']
  if (url === undefined) throw new Error(`The first line has no address: ${value}`)
  return url
}

async function post(url: string, body: unknown): Promise<Response> {
  const headers = { 'content-type': 'application/json' }
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
}

/** Delivers a payment of a hoodie, with a transaction of its own. */
async function pay(url: string, reference: string): Promise<number> {
  const txHash = randomBytes(32).toString('hex')
  const { body, headers } = signPayload(transferCompleted({ reference, txHash }), SECRET)
  return (await fetch(`${url}/webhooks/ton`, { method: 'POST', headers, body })).status
}

async function readStatus(url: string, reference: string): Promise<string> {
  const headers = { accept: 'application/json' }
  const answer = await fetch(`${url}/orders/${reference}`, { headers })
  // See OrderView.
  return ((await answer.json()) as { status: string }).status
}

async function buyHoodie(url: string): Promise<string> {
  const order = await post(`${url}/orders`, { product: 'hoodie' })
  // See OrderView.
  return ((await order.json()) as { reference: string }).reference
}

describe('the compiled shop', { timeout: START_TIMEOUT_MS }, () => {
  test('simulates payments in development with a random secret', async () => {
    const { lines } = await start({ NODE_ENV: 'development', TONPAY_WEBHOOK_SECRET: '' })
    const url = await readUrl(lines)
    const order = await post(`${url}/orders`, { product: 'mug' })

    const answer = await post(`${url}${order.headers.get('location')}/simulate`, { outcome: 'pay' })

    expect(await answer.json()).toEqual({ statuses: [200] })
  })

  test('receives webhooks in production and simulates nothing', async () => {
    const env = { TONPAY_WEBHOOK_SECRET: SECRET, DATA_DIR: await makeDatabase() }
    const { lines } = await start({ NODE_ENV: 'production', ...env })
    const url = await readUrl(lines)
    const reference = await buyHoodie(url)
    const simulated = await post(`${url}/orders/${reference}/simulate`, { outcome: 'pay' })
    expect(simulated.status).toBe(404)

    expect(await pay(url, reference)).toBe(200)
    expect(await readStatus(url, reference)).toBe('completed')
  })

  test('S47 keeps orders in a folder without DATABASE_URL, also after SIGKILL', async () => {
    const env = { TONPAY_WEBHOOK_SECRET: SECRET, DATA_DIR: await makeDatabase() }
    const first = await start(env)
    const url = await readUrl(first.lines)
    const [paid, open] = [await buyHoodie(url), await buyHoodie(url)]
    expect(await pay(url, paid)).toBe(200)
    first.kill('SIGKILL')
    await once(first, 'exit')

    const { lines } = await start(env)
    const newUrl = await readUrl(lines)

    expect(await readStatus(newUrl, paid)).toBe('completed')
    expect(await readStatus(newUrl, open)).toBe('pending')
    expect(await pay(newUrl, open)).toBe(200)
    expect(await readStatus(newUrl, open)).toBe('completed')
  })

  test.skipIf(!hasPostgres)(
    `serves one shop from two processes with DATABASE_URL, ${postgres}`,
    async () => {
      const name = `tonplug_shop_${randomUUID().replaceAll('-', '')}`
      await onServer(`CREATE DATABASE ${name}`)
      onTestFinished(() => onServer(`DROP DATABASE ${name} WITH (FORCE)`))
      const databaseUrl = new URL(serverUrl)
      databaseUrl.pathname = `/${name}`
      const env = { TONPAY_WEBHOOK_SECRET: SECRET, DATABASE_URL: databaseUrl.href }
      // Both create the tables.
      const [first, second] = await Promise.all([start(env), start(env)])
      const [firstUrl, secondUrl] = [await readUrl(first.lines), await readUrl(second.lines)]

      const reference = await buyHoodie(firstUrl)

      expect(await pay(secondUrl, reference)).toBe(200)
      expect(await readStatus(firstUrl, reference)).toBe('completed')
    },
  )

  test.each(['SIGTERM', 'SIGINT'] as const)(
    'S52 exits with 0 on %s while a page is open',
    async (signal) => {
      const child = await start({ NODE_ENV: 'development', DATA_DIR: await makeDatabase() })
      const url = await readUrl(child.lines)
      const order = await post(`${url}/orders`, { product: 'mug' })
      const events = await fetch(`${url}${order.headers.get('location')}/events`)
      expect(events.status).toBe(200)

      child.kill(signal)

      expect(await once(child, 'exit')).toEqual([0, null])
      expect(await events.text()).toContain('event: order')
    },
  )

  test.each([
    ['no secret in production', { NODE_ENV: 'production' }, 'Set TONPAY_WEBHOOK_SECRET'],
    ['an invalid port', { PORT: 'http' }, 'PORT is "http"'],
    ['an unknown network', { VERIFY_ON_CHAIN: 'moonnet' }, 'VERIFY_ON_CHAIN is "moonnet"'],
    ['no wallet', { VERIFY_ON_CHAIN: 'testnet' }, 'Set SHOP_WALLET'],
    [
      'an unreachable database',
      { DATABASE_URL: 'postgres://shop:hush@127.0.0.1:1/shop' },
      'Cannot open the PostgreSQL of DATABASE_URL',
    ],
  ])(
    'exits with 1 and names the problem for %s',
    async (_, env: Record<string, string>, problem) => {
      const child = await start(env)
      let output = ''
      child.stderr?.on('data', (chunk: Buffer) => {
        output += chunk.toString()
      })

      expect(await once(child, 'close')).toEqual([1, null])
      expect(output).toContain(problem)
      expect(output).not.toContain('hush')
    },
  )
})

import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { signPayload, transferCompleted } from '@tonplug/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { SECRET } from './harness.js'

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url))

/** Starts the compiled shop as its users do. */
function start(env: Record<string, string>): ChildProcess & { lines: AsyncIterator<string> } {
  const child = spawn(process.execPath, [main], {
    env: { PATH: process.env['PATH'], PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return Object.assign(child, { lines })
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

describe('the compiled shop', () => {
  test('in development it simulates payments with a secret of its own', async () => {
    const { lines } = start({ NODE_ENV: 'development', TONPAY_WEBHOOK_SECRET: '' })
    const url = await readUrl(lines)
    const order = await post(`${url}/orders`, { product: 'mug' })

    const answer = await post(`${url}${order.headers.get('location')}/simulate`, { outcome: 'pay' })

    expect(await answer.json()).toEqual({ statuses: [200] })
  })

  test('in production it takes webhooks and simulates nothing', async () => {
    const { lines } = start({ NODE_ENV: 'production', TONPAY_WEBHOOK_SECRET: SECRET })
    const url = await readUrl(lines)
    const order = await post(`${url}/orders`, { product: 'hoodie' })
    const page = `${url}${order.headers.get('location')}`
    expect((await post(`${page}/simulate`, { outcome: 'pay' })).status).toBe(404)

    // What POST /orders answers.
    const { reference } = (await order.json()) as { reference: string }
    const { body, headers } = signPayload(transferCompleted({ reference }), SECRET)
    const answer = await fetch(`${url}/webhooks/ton`, { method: 'POST', headers, body })

    expect(answer.status).toBe(200)
    const view = await fetch(page, { headers: { accept: 'application/json' } })
    expect(await view.json()).toMatchObject({ status: 'completed' })
  })

  test.each(['SIGTERM', 'SIGINT'] as const)(
    'S52 %s ends it with 0, although a page is open',
    async (signal) => {
      const child = start({ NODE_ENV: 'development' })
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
    ['a port that is no number', { PORT: 'http' }, 'PORT is "http"'],
  ])('with %s it says so and exits with 1', async (_, env: Record<string, string>, problem) => {
    const child = start(env)
    let output = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })

    expect(await once(child, 'close')).toEqual([1, null])
    expect(output).toContain(problem)
  })
})

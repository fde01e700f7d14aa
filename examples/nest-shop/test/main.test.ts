import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url))

/** Starts the compiled shop as its users do. */
function start(env: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, [main], {
    env: { PATH: process.env['PATH'], PORT: '0', NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

async function readUrl({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error('The shop has no output')
  for await (const line of createInterface({ input: stdout })) {
    const url = /open at (?<url>http:\/\/127\.0\.0\.1:\d+)/.exec(line)?.groups?.['url']
    if (url !== undefined) return url
  }
  throw new Error('The shop ended without an address')
}

describe('the compiled shop', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    'S52 pays an order in development; %s ends it although a page is open',
    async (signal) => {
      const child = start({ NODE_ENV: 'development', TONPAY_WEBHOOK_SECRET: '' })
      const url = await readUrl(child)
      child.stdout?.resume()
      const post = (path: string, body: object) =>
        fetch(`${url}${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
      // What POST /orders answers.
      const order = (await (await post('/orders', { product: 'late-shift' })).json()) as {
        reference: string
      }
      const events = await fetch(`${url}/orders/${order.reference}/events`)

      const answer = await post(`/orders/${order.reference}/simulate`, { outcome: 'pay' })
      expect(await answer.json()).toEqual({ statuses: [200] })
      child.kill(signal)

      expect(await once(child, 'exit')).toEqual([null, signal])
      expect(await events.text()).toContain('"kind":"shipped"')
    },
  )

  test.each([
    ['no secret in production', { NODE_ENV: 'production' }, 'Set TONPAY_WEBHOOK_SECRET'],
    ['a network that is none', { VERIFY_ON_CHAIN: 'moonnet' }, 'VERIFY_ON_CHAIN is "moonnet"'],
    ['no wallet to prove payments to', { VERIFY_ON_CHAIN: 'testnet' }, 'Set SHOP_WALLET'],
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

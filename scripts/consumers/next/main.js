// Builds an app with the route handler of docs/frameworks/next.ts, and sends webhooks to it.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { signPayload, transferCompleted } from '@tonplug/testing'

const SECRET = 'whsec_test'
const next = '../node_modules/next/dist/bin/next'
const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1', TONPAY_WEBHOOK_SECRET: SECRET }
execFileSync(process.execPath, [next, 'build'], { env })

const port = await findPort()
const server = spawn(process.execPath, [next, 'start', '-p', String(port)], { env, stdio: 'pipe' })
try {
  const url = `http://127.0.0.1:${port}/webhooks/ton`
  while (!(await fetch(url).catch(() => undefined))) {
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  const { body, headers } = signPayload(transferCompleted(), SECRET)
  const send = (sent) => fetch(url, { method: 'POST', headers, body, ...sent })
  assert.equal((await send({ body: `${body} ` })).status, 401)
  const answer = await send({ headers: { ...headers, 'x-tonplug-explain': '1' } })
  // The app has no orders.
  assert.match(await answer.text(), /^{"ok":true,"decision":{"kind":"unknown_order"/)
  assert.equal((await send({ method: 'PUT' })).status, 405)
} finally {
  server.kill()
}

async function findPort() {
  for (;;) {
    // Below the range of port 0, from which another program could take it first.
    const port = randomInt(20_000, 30_000)
    const server = createServer().listen(port)
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
}

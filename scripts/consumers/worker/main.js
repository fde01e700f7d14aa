// Bundles the worker of docs/frameworks/worker.ts, and sends webhooks to it in the runtime of Cloudflare Workers.
import assert from 'node:assert/strict'
import { signPayload, transferCompleted } from '@tonplug/testing'
import { build } from 'esbuild'
import { Miniflare } from 'miniflare'

const SECRET = 'whsec_test'
const { outputFiles } = await build({
  entryPoints: ['entry.ts'],
  bundle: true,
  write: false,
  format: 'esm',
  target: 'es2022',
  conditions: ['workerd', 'import'],
  external: ['node:*'],
})
const miniflare = new Miniflare({
  modules: true,
  script: outputFiles[0].text,
  compatibilityDate: '2025-09-01',
  compatibilityFlags: ['nodejs_compat'],
  bindings: { TONPAY_WEBHOOK_SECRET: SECRET },
})
try {
  const url = new URL('/webhooks/ton', await miniflare.ready)
  const { body, headers } = signPayload(transferCompleted(), SECRET)
  const send = (sent) => fetch(url, { method: 'POST', headers, body, ...sent })
  assert.equal((await send({ body: `${body} ` })).status, 401)
  assert.equal((await send({ method: 'PUT' })).status, 405)
  assert.equal((await send({})).status, 200)
  assert.equal((await send({})).status, 200)
  assert.equal(await (await fetch(url)).text(), 'completed')
} finally {
  await miniflare.dispose()
}

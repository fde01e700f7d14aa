import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { keepRawBody, tonplugWebhook } from '@tonplug/express'
import type { ChainSimulator } from '@tonplug/simulator'
import express from 'express'
import { onTestFinished } from 'vitest'
import type { DoctorSettings } from '../../src/doctor/settings.js'
import { databaseOfRole, emptyDatabase, migratedDatabase } from './databases.js'
import { EXPIRED, INCOMPLETE_CHAIN, OTHER_HOST, SELF_SIGNED } from './certificates.js'
import {
  closedServer,
  listen,
  listenWithTls,
  passwordRejectingPostgres,
  SECRET,
  shop,
  tonCenter,
} from './servers.js'

/** The chains of both networks, and wallets. */
export interface Networks {
  mainnet: ChainSimulator
  testnet: ChainSimulator
  /** A wallet of testnet that is not used on mainnet. */
  testnetWallet: string
  unusedWallet: string
}

/** A server with one mistake. */
export interface BrokenServer {
  name: string
  /** The check that finds the mistake. */
  check: string
  status: 'warn' | 'fail'
  /** Starts it, and returns the settings that differ from a server without mistakes. */
  start: (networks: Networks) => Partial<DoctorSettings> | Promise<Partial<DoctorSettings>>
}

const PATH = '/webhooks/ton'
const respond = (status: number, headers: Record<string, string> = {}, body = '') =>
  listen((_, response) => response.writeHead(status, headers).end(body)).then((url) => ({ url }))

export const brokenServers: readonly BrokenServer[] = [
  {
    name: 'express.json() before the webhook',
    check: 'raw body',
    status: 'fail',
    start: () =>
      shop((app, receiver) =>
        app.use(express.json({ strict: false })).post(PATH, tonplugWebhook(receiver)),
      ),
  },
  {
    name: 'the parsed body is serialized again',
    check: 'raw body',
    status: 'warn',
    start: () =>
      shop((app, receiver) =>
        app.use(express.json()).post(PATH, async ({ method, headers, body }, response) => {
          const answer = await receiver.receive({ method, headers, rawBody: JSON.stringify(body) })
          response.status(answer.status).set(answer.headers).send(answer.body)
        }),
      ),
  },
  {
    name: 'a parser with a small limit before the webhook',
    check: 'raw body',
    status: 'fail',
    start: () =>
      shop((app, receiver) =>
        app
          .use(express.json({ limit: '1kb', verify: keepRawBody }))
          .post(PATH, tonplugWebhook(receiver)),
      ),
  },
  {
    name: 'a route that accepts form data alone',
    check: 'raw body',
    status: 'fail',
    start: () => respond(415),
  },
  {
    name: 'a route at another path',
    check: 'webhook route',
    status: 'fail',
    start: () => shop((app, receiver) => app.post('/webhook', tonplugWebhook(receiver))),
  },
  {
    name: 'a route for GET',
    check: 'webhook route',
    status: 'fail',
    start: () => respond(405, { allow: 'GET' }),
  },
  {
    name: 'a login page for every path',
    check: 'webhook route',
    status: 'fail',
    start: () => respond(200, { 'content-type': 'text/html' }, '<!doctype html><form></form>'),
  },
  {
    name: 'a handler that verifies nothing',
    check: 'webhook route',
    status: 'fail',
    start: () => respond(200, { 'content-type': 'application/json' }, '{"ok":true}'),
  },
  {
    name: 'a redirect to another host',
    check: 'webhook route',
    status: 'fail',
    start: () => respond(301, { location: 'https://www.shop.example/webhooks/ton' }),
  },
  {
    name: 'a rate limit before the webhook',
    check: 'webhook route',
    status: 'fail',
    start: () => respond(429, { 'retry-after': '60' }, 'Too Many Requests'),
  },
  {
    name: 'a rate limit of one request per second',
    check: 'raw body',
    status: 'warn',
    start: () =>
      shop((app, receiver) => {
        let count = 0
        app.use((_request, response, next) => {
          if (++count === 1) next()
          else response.status(429).end()
        })
        app.post(PATH, tonplugWebhook(receiver))
      }),
  },
  {
    name: 'a filter that rejects bodies other than JSON',
    check: 'raw body',
    status: 'warn',
    start: () =>
      shop((app, receiver) => {
        app.use((request, response, next) => {
          if (Number(request.headers['content-length']) > 100) next()
          else response.status(406).end('blocked')
        })
        app.post(PATH, tonplugWebhook(receiver))
      }),
  },
  {
    name: 'a proxy that removes the signature header',
    check: 'webhook route',
    status: 'fail',
    start: () =>
      shop((app, receiver) => {
        app.use((request, _response, next) => {
          delete request.headers['x-tonpay-signature']
          next()
        })
        app.post(PATH, tonplugWebhook(receiver))
      }),
  },
  {
    name: 'a proxy that changes the signature header',
    check: 'webhook route',
    status: 'fail',
    start: () =>
      shop((app, receiver) => {
        app.use((request, _response, next) => {
          request.headers['x-tonpay-signature'] = '[removed]'
          next()
        })
        app.post(PATH, tonplugWebhook(receiver))
      }),
  },
  {
    name: 'a guard with an API key before the webhook',
    check: 'webhook route',
    status: 'fail',
    start: () => respond(401, { 'content-type': 'application/json' }, '{"message":"no API key"}'),
  },
  {
    name: 'CSRF protection before the webhook',
    check: 'webhook route',
    status: 'fail',
    start: () => respond(403, {}, 'invalid csrf token'),
  },
  {
    name: 'Payments that is not started',
    check: 'webhook route',
    status: 'fail',
    start: () =>
      shop((app, receiver) => app.post(PATH, tonplugWebhook(receiver)), { isStarted: false }),
  },
  {
    name: 'a proxy without its server',
    check: 'webhook route',
    status: 'fail',
    start: () => respond(502, {}, '<h1>Bad Gateway</h1>'),
  },
  {
    name: 'a stopped server',
    check: 'webhook URL',
    status: 'fail',
    start: async () => ({ url: await closedServer() }),
  },
  {
    name: 'a host name without an address',
    check: 'webhook URL',
    status: 'fail',
    start: () => ({ url: 'https://shop.invalid/webhooks/ton' }),
  },
  {
    name: 'a port for HTTPS that speaks HTTP',
    check: 'webhook URL',
    status: 'fail',
    start: async () => ({ url: (await respond(200)).url.replace('http:', 'https:') }),
  },
  ...[
    { name: 'a self-signed TLS certificate', cert: SELF_SIGNED, isTrusted: false },
    { name: 'a TLS certificate without its chain', cert: INCOMPLETE_CHAIN, isTrusted: false },
    { name: 'an expired TLS certificate', cert: EXPIRED, isTrusted: true },
    { name: 'a TLS certificate of another host', cert: OTHER_HOST, isTrusted: true },
  ].map(({ name, cert, isTrusted }): BrokenServer => ({
    name,
    check: 'webhook URL',
    status: 'fail',
    start: async () => ({ url: await listenWithTls(cert, { isTrusted }) }),
  })),
  {
    name: 'a middleware that never calls next()',
    check: 'webhook URL',
    status: 'fail',
    start: async () => ({ url: await listen(() => undefined), timeoutMs: 10_000 }),
  },
  {
    name: 'a secret with a line break',
    check: 'webhook secret',
    status: 'fail',
    start: () => secretOf(`${SECRET}\n`),
  },
  {
    name: 'a secret in quotes',
    check: 'webhook secret',
    status: 'fail',
    start: () => secretOf(`"${SECRET}"`),
  },
  {
    name: 'a missing secret that became a string',
    check: 'webhook secret',
    status: 'fail',
    start: () => secretOf('undefined'),
  },
  {
    name: 'the placeholder of an example',
    check: 'webhook secret',
    status: 'fail',
    start: () => secretOf('whsec_change_me'),
  },
  {
    name: 'a signature instead of the secret',
    check: 'webhook secret',
    status: 'fail',
    start: () => secretOf(`sha256=${'a'.repeat(64)}`),
  },
  {
    name: 'a clock that is ten minutes behind',
    check: 'clock',
    status: 'fail',
    start: ({ mainnet }) => api(mainnet, { offsetMs: 600_000 }),
  },
  {
    name: 'a wallet address of testnet',
    check: 'wallet address',
    status: 'fail',
    start: async ({ mainnet }) => {
      const wallet = await usedWallet(mainnet)
      return { wallet: wallet.address.toString({ bounceable: false, testOnly: true }) }
    },
  },
  {
    name: 'an address with a typing error',
    check: 'wallet address',
    status: 'fail',
    start: ({ unusedWallet }) => ({
      wallet: unusedWallet.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
    }),
  },
  {
    name: 'a wallet that is used on testnet',
    check: 'wallet account',
    status: 'fail',
    start: ({ testnetWallet }) => ({ wallet: testnetWallet }),
  },
  {
    name: 'a wallet that was never used',
    check: 'wallet account',
    status: 'warn',
    start: ({ unusedWallet }) => ({ wallet: unusedWallet }),
  },
  {
    name: 'a jetton wallet as the wallet',
    check: 'wallet contract',
    status: 'fail',
    start: async ({ mainnet }) => {
      const [jetton, { address }] = [await mainnet.deployJetton(), await usedWallet(mainnet)]
      await jetton.mint(address, 1n)
      return { wallet: jetton.walletOf(address).toString() }
    },
  },
  {
    name: 'a jetton master as the wallet',
    check: 'wallet contract',
    status: 'fail',
    start: async ({ mainnet }) => ({ wallet: (await mainnet.deployJetton()).master.toString() }),
  },
  {
    name: 'a jetton master of another network',
    check: 'jetton master',
    status: 'fail',
    start: async ({ testnet }) => {
      const { master } = await testnet.deployJetton({ symbol: 'OTHER', name: 'Other' })
      return { jetton: master.toString() }
    },
  },
  {
    name: 'an API key of another network',
    check: 'API key',
    status: 'fail',
    start: ({ mainnet }) => api(mainnet, { keyStatus: 403 }),
  },
  {
    name: 'an API key that was not replaced',
    check: 'API key',
    status: 'fail',
    start: () => ({ apiKey: '${TONCENTER_API_KEY}' }),
  },
  {
    name: 'no API key',
    check: 'API key',
    status: 'warn',
    start: () => ({ apiKey: undefined }),
  },
  {
    name: 'more requests than the plan of the key',
    check: 'API rate',
    status: 'fail',
    start: async ({ mainnet }) => ({ ...(await api(mainnet, { rate: 10 })), rps: 25 }),
  },
  {
    name: 'a firewall before API v3',
    check: 'API key',
    status: 'fail',
    start: async ({ testnet }) => ({
      servers: { mainnet: await closedServer(), testnet: testnet.url },
    }),
  },
  {
    name: 'a database URL that was not replaced',
    check: 'database',
    status: 'fail',
    start: () => ({ databaseUrl: '$DATABASE_URL' }),
  },
  {
    name: 'a stopped database',
    check: 'database',
    status: 'fail',
    start: () => ({ databaseUrl: 'postgres://shop@127.0.0.1:1/shop' }),
  },
  {
    name: 'a wrong password of the database',
    check: 'database',
    status: 'fail',
    start: async () => ({
      databaseUrl: `postgres://shop:wrong@${await passwordRejectingPostgres()}/shop`,
    }),
  },
  {
    name: 'a role that may not log in',
    check: 'database',
    status: 'fail',
    start: async () => ({
      databaseUrl: await databaseOfRole((role) => [`ALTER ROLE ${role} NOLOGIN`]),
    }),
  },
  {
    name: 'a database that does not exist',
    check: 'database',
    status: 'fail',
    start: async () => {
      const url = new URL(await emptyDatabase())
      url.pathname += '_typo'
      return { databaseUrl: url.href }
    },
  },
  {
    name: 'a database without the tables',
    check: 'tables',
    status: 'fail',
    start: async () => ({ databaseUrl: await emptyDatabase() }),
  },
  {
    name: 'tables of an older version',
    check: 'tables',
    status: 'fail',
    start: async () => ({
      databaseUrl: await migratedDatabase('DELETE FROM tonplug.migrations'),
    }),
  },
  {
    name: 'a role without the schema',
    check: 'database role',
    status: 'fail',
    start: async () => ({ databaseUrl: await databaseOfRole(() => []) }),
  },
  {
    name: 'a role that may only read',
    check: 'database role',
    status: 'fail',
    start: async () => ({
      databaseUrl: await databaseOfRole((role) => [
        `GRANT USAGE ON SCHEMA tonplug TO ${role}`,
        `GRANT SELECT ON ALL TABLES IN SCHEMA tonplug TO ${role}`,
      ]),
    }),
  },
  {
    name: 'a read-only database',
    check: 'database role',
    status: 'fail',
    start: async () => {
      const url = new URL(await migratedDatabase())
      url.searchParams.set('options', '-c default_transaction_read_only=on')
      return { databaseUrl: url.href }
    },
  },
  {
    name: 'a watcher that does not run',
    check: 'payment watcher',
    status: 'fail',
    start: async () => ({
      databaseUrl: await migratedDatabase(
        `INSERT INTO tonplug.cursors (name, position, holder, leased_until)
        VALUES ('default', '{"scannedTo":1769846400}', 'a', now() - interval '1 minute')`,
      ),
    }),
  },
  {
    name: 'a stopped Redis',
    check: 'Redis',
    status: 'fail',
    start: () => ({ redisUrl: 'redis://127.0.0.1:1' }),
  },
  {
    name: 'an old version of Node',
    check: 'Node',
    status: 'fail',
    start: () => ({ nodeVersion: '18.20.4' }),
  },
  {
    name: 'two versions of @tonplug/core',
    check: 'installed packages',
    status: 'fail',
    start: () =>
      appWith({
        'node_modules/@tonplug/core/package.json': '{"version":"1.1.0"}',
        'node_modules/@tonplug/express/package.json': '{"version":"1.0.0"}',
        'node_modules/@tonplug/express/node_modules/@tonplug/core/package.json':
          '{"version":"1.0.0"}',
      }),
  },
  {
    name: 'ESM and CommonJS in one app',
    check: 'module format',
    status: 'warn',
    start: () =>
      appWith({
        'server.mjs': "import { createPayments } from '@tonplug/core'\n",
        'worker.cjs': "const { createPayments } = require('@tonplug/core')\n",
      }),
  },
]

function secretOf(value: string): Partial<DoctorSettings> {
  return { secret: { source: 'TONPAY_WEBHOOK_SECRET', value, hadLineBreak: false } }
}

async function api(chain: ChainSimulator, faults: Parameters<typeof tonCenter>[1]) {
  const url = await tonCenter(chain.url, faults)
  return { servers: { mainnet: url, testnet: url } }
}

async function appWith(files: Record<string, string>): Promise<Partial<DoctorSettings>> {
  const folder = await mkdtemp(join(tmpdir(), 'tonplug-doctor-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  return { folder }
}

/** A wallet is active after its first message. */
export async function usedWallet(chain: ChainSimulator) {
  const wallet = await chain.createWallet()
  await wallet.pay(`ton://transfer/${wallet.address.toString()}?amount=1`)
  return wallet
}

import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/** The pages, their headings, and what a code block below each heading must contain. */
const PROMISED: Record<string, Record<string, string>> = {
  'docs/guide/api-v2-calls.md': {
    'Get-methods': 'runGetMethod(',
    Sending: 'sendBocReturnHash(',
    Hooks: 'hooks: {',
  },
  'docs/guide/api-v3.md': { Emulation: 'emulateTonConnect(' },
  'docs/guide/clients-in-your-server.md': {
    Express: 'tonplugClients(',
    Fastify: 'tonplugFastify',
    NestJS: 'V2Service',
  },
  'docs/guide/contracts.md': { 'Deploy and pay': 'sendTransfer(' },
  'docs/guide/data-apis.md': {
    'Rate limit': 'createRedisRateLimiter(',
    'Retries, deadlines, abort': 'deadlineMs',
    'Your own servers': 'baseUrl',
  },
  'docs/guide/express.md': {
    'When a parser comes first': 'keepRawBody',
    Shutdown: 'receiver.close()',
  },
  'docs/guide/fastify.md': { Shutdown: 'receiver.close()' },
  'docs/guide/monitoring.md': {
    Logs: 'logger: Logger',
    Metrics: 'openTelemetryInstrumentation(',
    'Dead handlers': 'inbox replay',
  },
  'docs/guide/nestjs.md': {
    'Without a gateway': 'watcher: true',
    'The webhook route': '@WebhookController(',
    Health: 'payments.health()',
  },
  'docs/guide/order-status.md': {
    Express: "'@tonplug/express'",
    NestJS: "'@tonplug/nestjs'",
    'The page': 'new EventSource(',
  },
  'docs/guide/other-frameworks.md': {
    Koa: "from 'koa'",
    Hono: "from 'hono'",
    'Next.js': 'export const POST',
    'h3, Nitro and Nuxt': "from 'h3'",
    'AWS Lambda': 'readLambdaEvent(',
    'Cloudflare Workers': 'waitUntil',
  },
  'docs/guide/pagination-and-watching.md': {
    Pagination: '.paginate(',
    'Persist the cursor': '.cursor()',
  },
  'docs/guide/postgres.md': {
    "Tonplug's own orders": 'postgresOrderRepository',
    'The tables': 'migrate up',
  },
  'docs/guide/rules-and-answers.md': { Handlers: 'idempotencyKey' },
  'docs/guide/sending-and-waiting.md': { 'Recovery after a restart': 'createSendCheckpoint(' },
  'docs/guide/several-merchants.md': {
    'The webhook': 'merchant: id',
    'Separate shops': "name: 'caps'",
  },
  'docs/guide/several-servers.md': { 'pg-boss': 'pgBossQueue(' },
  'docs/guide/signature-never-matches.md': { '6. Your test signs other bytes': 'signPayload(' },
  'docs/guide/streaming.md': { Payments: 'createPaymentWatcher(', Events: 'stream.subscribe(' },
  'docs/guide/test-on-a-chain.md': { 'Faults on the chain': 'isBounced' },
  'docs/guide/test-your-shop.md': {
    'A payment in a test': 'gateway.pay(',
    'A shop that calls the gateway': 'TONPAY_BASE_URL',
    'Payment faults': 'gateway.fail(',
    'A simulated shop': 'simulateShop(',
  },
  'docs/guide/ton-connect.md': {
    'The manifest': '"iconUrl"',
    'The server': 'invoice.tonConnect(',
    'The page': 'createWalletRequests(',
    'After the wallet has sent': 'checkNow(',
  },
  'docs/guide/traces-and-actions.md': { 'Who paid whom': 'hasArrived(' },
  'docs/guide/write-a-repository.md': {
    'One transaction with the inbox': 'withTransaction',
    'Prove it': 'describeOrderRepository(',
  },
  'docs/guide/your-own-database.md': {
    'Map your table': 'mappedOrderRepository',
    'The check': 'orders.checkAccess',
  },
}

/** Returns the code blocks between a heading and the next one. */
function codeBelow(page: string, heading: string): string[] {
  const code: string[] = []
  let isInside = false
  let block: string[] | undefined
  for (const line of page.split('\n')) {
    if (line.startsWith('```')) {
      if (block !== undefined && isInside) code.push(block.join('\n'))
      block = block === undefined ? [] : undefined
    } else if (block !== undefined) block.push(line)
    else if (line.startsWith('#')) isInside = line.replace(/^#+ /, '') === heading
  }
  return code
}

const promises = Object.entries(PROMISED).flatMap(([file, headings]) =>
  Object.entries(headings).map(([heading, promised]) => ({ file, heading, promised })),
)

it.each(promises)('shows $promised below "$heading" of $file', ({ file, heading, promised }) => {
  const code = codeBelow(readFileSync(file, 'utf8'), heading)
  expect(code.join('\n\n')).toContain(promised)
})

it('shows no row of a table outside of its table', () => {
  const pages = globSync('{*.md,docs/**/*.md,packages/*/*.md,examples/*/*.md}', {
    exclude: ['**/node_modules/**', 'docs/.check/**', 'docs/reference/{api,v2,v3}/**'],
  })
  const rows = pages.flatMap((file) => rowsWithoutHeader(file, readFileSync(file, 'utf8')))
  expect(pages.length).toBeGreaterThan(60)
  expect(rows).toEqual([])
})

/** Returns the rows that Markdown shows as text, because no header is above them. */
function rowsWithoutHeader(file: string, page: string): string[] {
  const text = page.replaceAll(/^```[\s\S]*?^```/gm, '')
  const tables = text.match(/(?:^\|.*\n)+/gm) ?? []
  return tables.filter((rows) => !/^.*\n\|[ :|-]+\|\n/.test(rows)).map((rows) => `${file}: ${rows}`)
}

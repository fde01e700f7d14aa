import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createChainSimulator } from '@tonplug/simulator'
import { freePort } from '@tonplug/test-support/free-port'
import { createPostgresDatabase, hasPostgres, NEEDS_POSTGRES } from '@tonplug/test-support/postgres'
import { hasRedis, NEEDS_REDIS, redisUrl } from '@tonplug/test-support/redis'
import { expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { operatorOf } from '../src/operator.js'

const read = (path: string) => readFile(new URL(path, import.meta.url), 'utf8')

const INSTRUMENTS = '../../../packages/core/src/opentelemetry/instruments.ts'
const PASSWORD = 'correct horse'
const SUFFIXES = { HISTOGRAMS: ['_bucket', '_sum', '_count'], COUNTERS: ['_total'], GAUGES: [''] }

/** Returns the names in Prometheus of the metrics that core creates. */
async function exportedNames(): Promise<string[]> {
  const source = await read(INSTRUMENTS)
  return Object.entries(SUFFIXES).flatMap(([constant, suffixes]) => {
    const start = source.indexOf(`const ${constant} = {`)
    const names = source
      .slice(start, source.indexOf('} satisfies', start))
      .matchAll(/'(tonplug\.[\w.]+)'/g)
    return [...names].flatMap(([, name = '']) =>
      suffixes.map((suffix) => `${name.replaceAll('.', '_')}${suffix}`),
    )
  })
}

/** Returns the metrics of tonplug in expressions. Names of attributes occur in selectors and in `by (…)` only. */
function namesIn(expressions: readonly string[]): string[] {
  const names = expressions.flatMap((expression) =>
    expression
      .replaceAll(/\{[^}]*\}|\bby \([^)]*\)/g, '')
      .replaceAll(/label_values\((\w+), \w+\)/g, '$1')
      .match(/\btonplug_\w+/g),
  )
  return [...new Set(names.filter((name) => name !== null))].toSorted()
}

interface Panels {
  panels: { targets: { expr: string }[] }[]
  templating: { list: { query: string }[] }
}

interface Rules {
  groups: { rules: { alert: string; expr: string; annotations: Record<string, string> }[] }[]
}

it('has a dashboard of metrics that exist', async () => {
  // The format is that of this repository's file.
  const { panels, templating } = JSON.parse(await read('../grafana/dashboard.json')) as Panels
  const used = namesIn([
    ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ...templating.list.map(({ query }) => query),
  ])
  const known = await exportedNames()
  expect(used.length).toBeGreaterThan(15)
  expect(used.filter((name) => !known.includes(name))).toEqual([])
})

it('has alerts on metrics that exist, each with an action', async () => {
  // As above.
  const { groups } = parse(await read('../alerts.yaml')) as Rules
  const rules = groups.flatMap((group) => group.rules)
  const known = await exportedNames()
  const checked = rules.map(({ alert, expr, annotations }) => ({
    alert,
    hasMetrics: namesIn([expr]).length > 0,
    unknown: namesIn([expr]).filter((name) => !known.includes(name)),
    annotations: Object.keys(annotations),
  }))
  expect(checked).toEqual(
    rules.map(({ alert }) => ({
      alert,
      hasMetrics: true,
      unknown: [],
      annotations: ['summary', 'action'],
    })),
  )
})

it('mounts files that exist, and waits for what it needs', async () => {
  // As above.
  const { services } = parse(await read('../compose.yaml')) as {
    services: Record<string, { volumes?: string[]; depends_on?: object; healthcheck?: object }>
  }
  const mounted = Object.values(services).flatMap(({ volumes = [] }) =>
    volumes.map((volume) => volume.split(':')[0] ?? '').filter((path) => /^\.\/.*\./.test(path)),
  )
  expect(mounted).toHaveLength(5)
  for (const path of mounted) await expect(read(`../${path}`)).resolves.toMatch(/./)
  for (const path of mounted.filter((name) => name.endsWith('.yaml'))) {
    expect(parse(await read(`../${path}`))).toBeTypeOf('object')
  }
  const needed = Object.keys(services['shop']?.depends_on ?? {})
  expect(needed.filter((name) => services[name]?.healthcheck === undefined)).toEqual([])
})

it.each([
  [undefined, 'secret'],
  ['', 'secret'],
  ['Bearer secret', 'secret'],
  ['Basic %%%', 'secret'],
  [basic('ann').authorization, 'secret'],
  [basic(':secret').authorization, 'secret'],
  [basic('ann:Secret').authorization, 'secret'],
  [basic('ann:').authorization, ''],
])('refuses %j at the desk with the password %j', (authorization, password) => {
  expect(operatorOf(authorization, password)).toBe(false)
})

it('names the operator who sent the password', () => {
  expect(operatorOf(basic('ann:a:ü').authorization, 'a:ü')).toEqual({ operator: 'ann' })
})

it.runIf(hasPostgres && hasRedis)(
  `pays an order, shows it on the desk and exports metrics on ${NEEDS_POSTGRES} and ${NEEDS_REDIS}`,
  async () => {
    const chain = await createChainSimulator()
    onTestFinished(() => chain.close())
    const [wallet, buyer] = [await chain.createWallet(), await chain.createWallet()]
    const shop = await startShop(chain.url, wallet.address.toString({ bounceable: false }))
    await expect.poll(() => isUp(`${shop.url}/health`)).toBe(true)
    const response = await fetch(`${shop.url}/orders`, { method: 'POST' })
    const { link, reference } = (await response.json()) as { link: string; reference: string }
    await buyer.pay(link)
    await expect.poll(shop.output).toContain(`order ${reference} is paid`)
    expect(await deskStatus(shop.url, 'ann:')).toBe(401)
    expect(await deskStatus(shop.url, 'ann:wrong')).toBe(401)
    expect(await deskStatus(shop.url, `ann:${PASSWORD}`)).toBe(200)
    const headers = basic(`ann:${PASSWORD}`)
    const session = await fetch(`${shop.url}/desk/api/session`, { headers })
    expect(await session.json()).toMatchObject({ operator: 'ann', mayAct: true })
    const transfers = await fetch(`${shop.url}/desk/api/transfers`, { headers })
    expect(await transfers.text()).toContain(reference)
    const exportedNow = async (): Promise<string[]> => {
      const text = await (await fetch(shop.metricsUrl)).text()
      return [...text.matchAll(/^(tonplug_\w+)\{/gm)].map(([, name = '']) => name)
    }
    // The handler prints its line before its run has ended and is measured.
    await expect.poll(exportedNow).toContain('tonplug_handler_duration_bucket')
    const exported = await exportedNow()
    const known = await exportedNames()
    expect(exported).toContain('tonplug_inbox_oldest_age')
    expect(exported).toContain('tonplug_webhook_decisions_total')
    expect(exported.filter((name) => !known.includes(name))).toEqual([])
    expect(await shop.stop()).toBe(0)
  },
)

async function startShop(chainUrl: string, wallet: string) {
  const database = await createPostgresDatabase()
  const [port, metricsPort] = [await freePort(), await freePort()]
  const child = spawn(process.execPath, ['dist/main.js'], {
    cwd: new URL('..', import.meta.url),
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: database.url,
      REDIS_URL: redisUrl,
      SHOP_WALLET: wallet,
      TONCENTER_URL: chainUrl,
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      DESK_PASSWORD: PASSWORD,
    },
  })
  let output = ''
  child.stdout.on('data', (data: Buffer) => (output += data.toString()))
  child.stderr.on('data', (data: Buffer) => (output += data.toString()))
  const closed = once(child, 'close')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await closed
    await database.drop()
  })
  return {
    url: `http://127.0.0.1:${port}`,
    metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
    output: () => output,
    stop: async () => {
      child.kill('SIGTERM')
      const [code] = await closed
      return code as unknown
    },
  }
}

function basic(credentials: string): { authorization: string } {
  return { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }
}

async function deskStatus(url: string, credentials: string): Promise<number> {
  return (await fetch(`${url}/desk/`, { headers: basic(credentials) })).status
}

async function isUp(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )
}

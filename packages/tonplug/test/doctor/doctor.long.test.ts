import { readFile, writeFile } from 'node:fs/promises'
import { keepRawBody, keepRawBodyInParser, tonplugWebhook } from '@tonplug/express'
import { createChainSimulator } from '@tonplug/simulator'
import express from 'express'
import { hasPgBouncer, NEEDS_PGBOUNCER, startPgBouncer } from '@tonplug/test-support/pgbouncer'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DoctorSettings } from '../../src/doctor/settings.js'
import { runChecks, type NamedFinding } from '../../src/doctor/run-checks.js'
import { brokenServers, usedWallet, type Networks } from './broken-servers.js'
import { migratedDatabase } from './databases.js'
import { SECRET, shop, tonCenter } from './servers.js'

const GUIDE = new URL('../../../../docs/guide/doctor.md', import.meta.url)
const PATH = '/webhooks/ton'

let networks: Networks
let usedOnMainnet: string

beforeAll(async () => {
  const [mainnet, testnet] = [await createChainSimulator(), await createChainSimulator()]
  usedOnMainnet = friendly(await usedWallet(mainnet))
  // Both chains create the same wallets in the same order.
  for (let skipped = 0; skipped < 5; skipped++) await testnet.createWallet()
  const testnetWallet = friendly(await usedWallet(testnet))
  const unusedWallet = friendly(await testnet.createWallet())
  networks = { mainnet, testnet, testnetWallet, unusedWallet }
})

afterAll(async () => {
  await networks.mainnet.close()
  await networks.testnet.close()
})

function friendly({ address }: Awaited<ReturnType<typeof usedWallet>>): string {
  return address.toString({ bounceable: false })
}

/** A server without mistakes, except that its URL is local. */
async function settings(changes: Partial<DoctorSettings>): Promise<DoctorSettings> {
  const { mainnet, testnet } = networks
  return {
    folder: import.meta.dirname,
    nodeVersion: process.versions.node,
    url: undefined,
    secret: { source: 'TONPAY_WEBHOOK_SECRET', value: SECRET, hadLineBreak: false },
    wallet: usedOnMainnet,
    network: 'mainnet',
    servers: { mainnet: await tonCenter(mainnet.url), testnet: testnet.url },
    apiKey: 'key_of_the_shop',
    rps: 5,
    jetton: undefined,
    databaseUrl: undefined,
    redisUrl: undefined,
    timeoutMs: 10_000,
    ...changes,
  }
}

/** Returns the findings about mistakes. */
async function diagnose(changes: Partial<DoctorSettings>) {
  const findings = await runChecks(await settings(changes))
  const isLocal = ({ found }: NamedFinding): boolean => found.endsWith('this machine or network')
  return findings.filter((finding) => finding.status !== 'ok' && !isLocal(finding))
}

describe('a server without mistakes', () => {
  it('passes every check', async () => {
    const { url } = await shop((app, receiver) => app.post(PATH, tonplugWebhook(receiver)))
    const { master } = await networks.mainnet.deployJetton()
    const databaseUrl = await migratedDatabase(
      `INSERT INTO tonplug.cursors (name, holder, leased_until)
      VALUES ('default', 'a', now() + interval '1 minute')`,
    )
    const changes = { url, databaseUrl, jetton: master.toString() }
    const findings = await runChecks(await settings(changes))
    const passed = findings.filter(({ status }) => status === 'ok').map(({ check }) => check)
    expect(await diagnose(changes)).toEqual([])
    expect(findings).toContainEqual(
      expect.objectContaining({ found: expect.stringMatching(/^PostgreSQL \d+\.\d+.* responds$/) }),
    )
    expect(passed).toEqual(
      expect.arrayContaining(brokenServers.map(({ check }) => check).filter(appliesHere)),
    )
  })

  it('may keep the raw body while a parser reads it', async () => {
    const { url } = await shop((app, receiver) =>
      app.use(PATH, keepRawBody(receiver)).use(express.json()).post(PATH, tonplugWebhook(receiver)),
    )
    expect(await diagnose({ url })).toEqual([])
  })

  it('gets a warning alone with keepRawBodyInParser', async () => {
    const { url } = await shop((app, receiver) =>
      app.use(express.json({ verify: keepRawBodyInParser })).post(PATH, tonplugWebhook(receiver)),
    )
    expect(await diagnose({ url })).toMatchObject([{ check: 'raw body', status: 'warn' }])
  })
})

/** The URL is local, and nothing of the others is installed or running here. */
function appliesHere(check: string): boolean {
  return !['webhook URL', 'installed packages', 'module format', 'Redis'].includes(check)
}

describe('a broken server', () => {
  const rows: string[][] = []

  it.each(brokenServers)('is diagnosed: $name', async ({ name, check, status, start }) => {
    const found = await diagnose(await start(networks))
    expect(found).toMatchObject([{ check, status, fix: expect.stringMatching(/.{15}/) }])
    for (const finding of found) if (finding.status !== 'ok') rows.push(row(name, finding))
  })

  it('has the findings that the guide lists', async () => {
    const guide = await readFile(GUIDE, 'utf8')
    const start = guide.indexOf('| Broken server')
    const end = guide.indexOf('\n\n', start)
    const documented = guide.slice(0, start) + table(rows) + guide.slice(end)
    if (process.env['UPDATE_GUIDE'] === '1') await writeFile(GUIDE, documented)
    expect(documented).toBe(await readFile(GUIDE, 'utf8'))
  })
})

/** Returns a row of the guide, without the facts of this run. */
function row(name: string, { check, status, found, ...rest }: NamedFinding): string[] {
  const fix = 'fix' in rest ? rest.fix : ''
  return [name, check, status, found, fix].map((text) =>
    text
      .replaceAll(/shop_[0-9a-f]{8}/g, 'shop')
      .replaceAll(/\d+ (?=seconds (?:ahead|behind)|of 25)/g, 'N ')
      .replaceAll(/\b[EU]Q[\w-]{46}/g, 'UQ…')
      .replaceAll(/"(?:[^"\\]|\\.)*UQ…[^"]*"/g, '"UQ…"')
      .replaceAll(/(?<=; )\d+(?= is needed)/g, 'M')
      .replaceAll('|', '\\|'),
  )
}

/** Aligns columns as the formatter of the repository does. */
function table(rows: readonly (readonly string[])[]): string {
  const head = ['Broken server', 'Check', 'Result', 'Finding', 'Fix']
  const widths = head.map((title, column) =>
    Math.max(...[title, ...rows.map((cells) => cells[column] ?? '')].map((text) => text.length)),
  )
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((text, column) => text.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`
  return [line(head), rule, ...rows.map(line)].join('\n')
}

describe.skipIf(!hasPgBouncer)(`a database behind ${NEEDS_PGBOUNCER}`, () => {
  it('is reported when its pooler does not keep prepared statements', async () => {
    const databaseUrl = await startPgBouncer(await migratedDatabase())
    expect(await diagnose({ databaseUrl })).toEqual([
      {
        check: 'prepared statements',
        status: 'warn',
        found: expect.stringContaining('a pooler gives each transaction another connection'),
        fix: expect.stringContaining('max_prepared_statements'),
      },
    ])
  })
})

import { keepRawBody, tonplugWebhook } from '@tonplug/express'
import { createChainSimulator } from '@tonplug/simulator'
import express from 'express'
import { hasPgBouncer, NEEDS_PGBOUNCER, startPgBouncer } from '@tonplug/test-support/pgbouncer'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DoctorSettings } from '../../src/doctor/settings.js'
import { runChecks, type NamedFinding } from '../../src/doctor/run-checks.js'
import { brokenServers, usedWallet, type Networks } from './broken-servers.js'
import { migratedDatabase } from './databases.js'
import { SECRET, shop, tonCenter } from './servers.js'

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
    timeoutMs: 60_000,
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

  it('gets a warning alone with keepRawBody', async () => {
    const { url } = await shop((app, receiver) =>
      app.use(express.json({ verify: keepRawBody })).post(PATH, tonplugWebhook(receiver)),
    )
    expect(await diagnose({ url })).toMatchObject([{ check: 'raw body', status: 'warn' }])
  })
})

/** The URL is local, and nothing of the others is installed or running here. */
function appliesHere(check: string): boolean {
  return !['webhook URL', 'installed packages', 'module format', 'Redis'].includes(check)
}

describe('a broken server', () => {
  it.each(brokenServers)('is diagnosed: $name', async ({ check, status, start }) => {
    const found = await diagnose(await start(networks))
    expect(found).toMatchObject([{ check, status, fix: expect.stringMatching(/.{15}/) }])
  })
})

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

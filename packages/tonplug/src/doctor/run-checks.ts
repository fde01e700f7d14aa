import { explainError } from '../explain-error.js'
import { warn, type Check, type Finding, type Subject } from './check.js'
import { apiKey } from './checks/api-key.js'
import { apiRate } from './checks/api-rate.js'
import { clocks } from './checks/clock.js'
import { database } from './checks/database.js'
import { installedVersions } from './checks/installed-versions.js'
import { jettonMaster } from './checks/jetton.js'
import { moduleFormats } from './checks/module-formats.js'
import { nodeVersion } from './checks/node-version.js'
import { pooler } from './checks/pooler.js'
import { redis } from './checks/redis.js'
import { role } from './checks/role.js'
import { webhookSecret } from './checks/secret.js'
import { tables } from './checks/tables.js'
import { walletContract } from './checks/wallet-contract.js'
import { walletUsed } from './checks/wallet-used.js'
import { walletNetwork } from './checks/wallet.js'
import { watcher } from './checks/watcher.js'
import { webhookBody } from './checks/webhook-body.js'
import { webhookReachable } from './checks/webhook-reachable.js'
import { webhookRoute } from './checks/webhook-route.js'
import type { DoctorSettings } from './settings.js'
import { askTonCenter } from './ton-center.js'
import { probeWebhook } from './webhook-probe.js'

/** The check of the rate comes last, because it uses up the rate. */
const CHECKS: readonly Check[] = [
  nodeVersion,
  installedVersions,
  moduleFormats,
  webhookSecret,
  webhookReachable,
  webhookRoute,
  webhookBody,
  walletNetwork,
  walletUsed,
  walletContract,
  jettonMaster,
  database,
  pooler,
  tables,
  role,
  watcher,
  redis,
  clocks,
  apiKey,
  apiRate,
]

/** A finding with the name of its check. */
export type NamedFinding = { check: string } & Finding

/** Runs the checks that apply, one after another. */
export async function runChecks(settings: DoctorSettings): Promise<NamedFinding[]> {
  const subject: Subject = {
    ...settings,
    webhook: once(() => probeWebhook(settings.url ?? '', settings.timeoutMs)),
    tonCenter: once(() => askTonCenter(settings)),
  }
  const findings: NamedFinding[] = []
  for (const { name, run } of CHECKS) {
    const finding = await runCheck(run, subject)
    if (finding !== undefined) findings.push({ check: name, ...finding })
  }
  return findings
}

/** A check that fails does not keep the others from running. */
async function runCheck(run: Check['run'], subject: Subject): Promise<Finding | undefined> {
  try {
    return await run(subject)
  } catch (error) {
    return warn(`the check failed: ${explainError(error)}`, 'Report this as a bug of tonplug.')
  }
}

function once<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined
  return () => (result ??= work())
}

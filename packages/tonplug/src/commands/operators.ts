import { setTimeout } from 'node:timers/promises'
import type { Decision, Operator, Refund } from '@tonplug/core/operator'
import { createV3Client, type Network, type V3Client } from '@tonplug/core/toncenter'
import { Option, type Command } from 'commander'
import { locateDatabase, type DatabaseLocation } from '../database-location.js'
import { readBaseUrl } from '../network-values.js'
import { withOperator } from '../open-operator.js'
import {
  byOption,
  databaseOption,
  jsonOption,
  merchantOption,
  nameOption,
  reasonOption,
} from '../options.js'
import type { Deliver, Report } from '../report.js'

interface OperatorFlags {
  database?: string
  name?: string
  merchant?: string
  by: string
  reason?: string
}

interface ChainFlags extends OperatorFlags {
  network: Network
  server?: string
}

/** Adds `assign`, `accept` and `refund`. */
export function operatorCommands(program: Command, deliver: Deliver): void {
  const assign = program
    .command('assign')
    .description('assign a reported transfer to an order')
    .argument('<transaction>', 'its hash, from `inbox list --json`')
    .argument('<reference>', 'of the order')
    .action(async (transaction: string, reference: string, flags: OperatorFlags) => {
      deliver(await assignTransfer(locationOf(flags), { transaction, reference, ...flags }))
    })
  const accept = program
    .command('accept')
    .description('complete an order with what arrived, whatever its amount and asset')
    .argument('<reference>', 'of the order')
    .action(async (reference: string, flags: ChainFlags & { reason: string }) => {
      deliver(await acceptMoney(locationOf(flags), { reference, ...flags }))
    })
  const refund = program
    .command('refund')
    .description('propose to return a reported transfer to its payer, or follow its refund')
    .argument('<transaction>', 'its hash, from `inbox list --json`')
    .option('--any-jetton', 'also a jetton that no order asks for; its contracts can keep the fees')
    .action(async (transaction: string, flags: ChainFlags & { anyJetton?: true }) => {
      deliver(await refundTransfer(locationOf(flags), { transaction, ...flags }))
    })
  for (const command of [accept, refund]) {
    command
      .addOption(
        new Option('--network <network>', 'of TON Center')
          .choices(['mainnet', 'testnet'])
          .default('mainnet'),
      )
      .option('--server <url>', 'base URL of your own API v3 of this network')
      .addHelpText('after', '\nThe key of API v3 is TONCENTER_API_KEY.')
  }
  for (const command of [assign, accept, refund]) {
    command
      .addOption(byOption())
      .addOption(reasonOption().makeOptionMandatory(command === accept))
      .addOption(nameOption())
      .addOption(merchantOption())
      .addOption(databaseOption())
      .addOption(jsonOption())
  }
}

function locationOf({ database }: OperatorFlags): DatabaseLocation {
  return locateDatabase(database, process.env)
}

/** Stores an operator's report. The servers decide it by their own rules, and run the handlers. */
function assignTransfer(
  location: DatabaseLocation,
  given: OperatorFlags & { transaction: string; reference: string },
): Promise<Report> {
  const { transaction, reference, merchant, by, reason } = given
  return withOperator(location, given, async (operator) => {
    await operator.assign({ transactionHash: transaction, reference, merchant }, { by, reason })
    const text = `Your servers decide within seconds: \`tonplug inbox list\` shows the decision about ${reference}.`
    return { isDone: true, json: { transaction, reference }, text }
  })
}

const DECISION_WAIT_MS = 15_000
const LOOK_EVERY_MS = 500

/** Stores the acceptance, and waits for the decision of the servers. */
function acceptMoney(
  location: DatabaseLocation,
  given: ChainFlags & { reference: string; reason: string },
): Promise<Report> {
  const { reference, merchant, by, reason, name, network } = given
  return withOperator(location, { name, network, v3: clientOf(given) }, async (operator) => {
    const result = await operator.accept({ reference, merchant }, { by, reason })
    if (result.state === 'refused') {
      return { isDone: false, json: result, text: `Refused: ${result.reason}.` }
    }
    const { reportId } = result
    const decision = await decisionOf(operator, reportId)
    if (decision === undefined) {
      const text = `Your servers have not decided yet: \`tonplug inbox show ${reportId}\` shows the decision.`
      return { isDone: true, json: result, text }
    }
    const json = { state: 'decided', reportId, decision }
    return { isDone: decision.kind === 'paid', json, text: `The decision is ${decision.kind}.` }
  })
}

async function decisionOf(operator: Operator, reportId: string): Promise<Decision | undefined> {
  for (let waitedMs = 0; waitedMs < DECISION_WAIT_MS; waitedMs += LOOK_EVERY_MS) {
    const [listed] = await operator.list({ reportId })
    if (listed?.state === 'decided') return listed.decision
    await setTimeout(LOOK_EVERY_MS)
  }
  return undefined
}

function clientOf({ network, server }: ChainFlags): V3Client {
  if (server !== undefined) readBaseUrl('--server', server)
  const where = server === undefined ? { network } : { baseUrl: server }
  return createV3Client({ ...where, apiKey: process.env['TONCENTER_API_KEY'] })
}

function refundTransfer(
  location: DatabaseLocation,
  given: ChainFlags & { transaction: string; anyJetton?: true },
): Promise<Report> {
  const { transaction, merchant, network, anyJetton, by, reason, name } = given
  return withOperator(location, { name, network, v3: clientOf(given) }, async (operator) => {
    const request = { transactionHash: transaction, merchant, anyJetton }
    const refund = await operator.refund(request, { by, reason })
    const isDone = refund.state !== 'rejected' && refund.state !== 'needs_confirmation'
    return { isDone, json: refund, text: describe(refund) }
  })
}

function describe(refund: Refund): string {
  switch (refund.state) {
    case 'proposed': {
      const end = new Date(refund.request.validUntil * 1000).toISOString()
      const warning = refund.warning === undefined ? '' : `Warning: ${refund.warning}.\n`
      const head = `${warning}Sign this request of TON Connect once, before ${end}, with the wallet that was paid:`
      return `${head}\n${JSON.stringify(refund.request, null, 2)}`
    }
    case 'needs_confirmation':
      return `No refund yet: ${refund.warning}. To refund it nevertheless, add --any-jetton.`
    case 'waiting':
      return `Nothing to sign now: ${refund.reason}. Run the command again later.`
    case 'sent':
      return `The wallet has sent the refund in ${refund.txHash}; it is not final.`
    case 'refunded':
      return `The payer has the money, by ${refund.txHash}.`
    case 'rejected':
      return `No refund: ${refund.reason}.`
  }
}

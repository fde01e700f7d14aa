import type { InboxEntryState } from '@tonplug/postgres'
import { Option, type Command } from 'commander'
import { locateDatabase } from '../database-location.js'
import { UsageError } from '../failure.js'
import {
  databaseOption,
  jsonOption,
  limitOption,
  referenceOption,
  sinceOption,
} from '../options.js'
import type { Deliver } from '../report.js'
import { parseSince } from '../since.js'
import { inboxList } from './inbox-list.js'
import { inboxMatch } from './inbox-match.js'
import { inboxReplay } from './inbox-replay.js'
import { inboxShow } from './inbox-show.js'

const STATES: readonly InboxEntryState[] = ['undecided', 'parked', 'open', 'dead', 'done']

/** Adds `inbox list`, `inbox show`, `inbox match` and `inbox replay`. */
export function inboxCommand(program: Command, deliver: Deliver): void {
  const inbox = program.command('inbox').description('look at deliveries, and run handlers again')
  addList(inbox, deliver)
  addShow(inbox, deliver)
  addMatch(inbox, deliver)
  addReplay(inbox, deliver)
}

interface ListFlags {
  database?: string
  state?: InboxEntryState
  reference?: string
  since?: string
  limit: number
}

function addList(inbox: Command, deliver: Deliver): void {
  inbox
    .command('list')
    .description('list deliveries, the newest first')
    .addOption(new Option('--state <state>', 'in this state').choices(STATES))
    .addOption(referenceOption())
    .addOption(sinceOption())
    .addOption(limitOption())
    .addOption(databaseOption())
    .addOption(jsonOption())
    .action(async ({ database, state, reference, since, limit }: ListFlags) => {
      const query = { state, reference, receivedSinceMs: sinceMs(since), limit }
      deliver(await inboxList(locateDatabase(database, process.env), query))
    })
}

function addShow(inbox: Command, deliver: Deliver): void {
  inbox
    .command('show')
    .description('show a delivery, its decision, and how its handlers fared')
    .argument('<id>', 'as `inbox list` shows it')
    .addOption(databaseOption())
    .addOption(jsonOption())
    .action(async (id: string, { database }: { database?: string }) => {
      deliver(await inboxShow(locateDatabase(database, process.env), id))
    })
}

function addMatch(inbox: Command, deliver: Deliver): void {
  inbox
    .command('match')
    .description('decide parked deliveries at once, now that their order is there')
    .argument('<reference>', 'of the order')
    .addOption(databaseOption())
    .addOption(jsonOption())
    .action(async (reference: string, { database }: { database?: string }) => {
      deliver(await inboxMatch(locateDatabase(database, process.env), reference))
    })
}

interface ReplayFlags {
  database?: string
  reference?: string
  handler?: string
  receiver?: string
  since?: string
  all?: true
  yes?: true
}

function addReplay(inbox: Command, deliver: Deliver): void {
  inbox
    .command('replay')
    .description('run dead handlers again; those that are done are never run twice')
    .argument('[ids...]', 'of deliveries, as `inbox list` shows them')
    .addOption(referenceOption())
    .option('--handler <name>', 'the handler of this name, such as onPaid.mail')
    .option('--receiver <name>', 'of this receiver')
    .addOption(sinceOption())
    .option('--all', 'every dead handler')
    .option('-y, --yes', 'go ahead without a question')
    .addOption(databaseOption())
    .addOption(jsonOption())
    .action(async (ids: string[], flags: ReplayFlags) => {
      const { reference, handler, receiver } = flags
      const receivedSinceMs = sinceMs(flags.since)
      const filters = { reference, handler, receiver, receivedSinceMs }
      checkSelection(ids, filters, flags.all === true)
      const query = { ...filters, deliveryIds: ids.length === 0 ? undefined : ids }
      const location = locateDatabase(flags.database, process.env)
      deliver(await inboxReplay(location, query, { isAgreed: flags.yes === true }))
    })
}

function checkSelection(ids: string[], filters: object, isAll: boolean): void {
  const isNarrowed = ids.length > 0 || Object.values(filters).some((value) => value !== undefined)
  if (isNarrowed === isAll) {
    throw new UsageError(
      isAll
        ? '--all goes with neither ids nor filters'
        : 'say what to replay: ids of deliveries, a filter (--reference, --handler, --receiver, --since), or --all',
    )
  }
  const wrong = ids.find((id) => !/^[1-9]\d{0,17}$/.test(id))
  if (wrong !== undefined) {
    throw new UsageError(
      `${JSON.stringify(wrong)} is not an id of a delivery; \`tonplug inbox list\` shows them`,
    )
  }
}

function sinceMs(since: string | undefined): number | undefined {
  return since === undefined ? undefined : parseSince(since, Date.now())
}

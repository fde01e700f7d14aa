import type { DecisionKind } from '@tonplug/core'
import { DECISION_KINDS } from '@tonplug/core/internal'
import type { InboxEntryState } from '@tonplug/postgres'
import { Option, type Command } from 'commander'
import { locateDatabase } from '../database-location.js'
import { UsageError } from '../failure.js'
import {
  byOption,
  databaseOption,
  jsonOption,
  limitOption,
  merchantOption,
  nameOption,
  reasonOption,
  referenceOption,
  sinceOption,
} from '../options.js'
import type { Deliver } from '../report.js'
import { parseSince } from '../since.js'
import { inboxList } from './inbox-list.js'
import { inboxMatch } from './inbox-match.js'
import { inboxReprocess } from './inbox-reprocess.js'
import { inboxReplay } from './inbox-replay.js'
import { inboxShow } from './inbox-show.js'

const STATES: readonly InboxEntryState[] = [
  'undecided',
  'parked',
  'unreadable',
  'open',
  'relayed',
  'dead',
  'done',
]
const REPROCESSABLE_DECISIONS = DECISION_KINDS.filter(
  (kind) => kind !== 'paid' && kind !== 'refund',
)
const REPROCESSABLE = ['parked', 'decided', 'unreadable'] as const

/** Adds `inbox list`, `show`, `match`, `replay` and `reprocess`. */
export function inboxCommand(program: Command, deliver: Deliver): void {
  const inbox = program
    .command('inbox')
    .description('list stored reports, decide them again, and run handlers again')
  addList(inbox, deliver)
  addShow(inbox, deliver)
  addMatch(inbox, deliver)
  addReplay(inbox, deliver)
  addReprocess(inbox, deliver)
}

interface ListFlags {
  database?: string
  state?: InboxEntryState
  decision?: DecisionKind
  name?: string
  merchant?: string
  reference?: string
  since?: string
  limit: number
}

function addList(inbox: Command, deliver: Deliver): void {
  inbox
    .command('list')
    .description('list reports, newest first')
    .addOption(new Option('--state <state>', 'in this state').choices(STATES))
    .addOption(new Option('--decision <kind>', 'with this decision').choices(DECISION_KINDS))
    .addOption(nameOption())
    .addOption(merchantOption())
    .addOption(referenceOption())
    .addOption(sinceOption())
    .addOption(limitOption())
    .addOption(databaseOption())
    .addOption(jsonOption())
    .action(async ({ database, since, ...filters }: ListFlags) => {
      const query = { ...filters, receivedSinceMs: sinceMs(since) }
      deliver(await inboxList(locateDatabase(database, process.env), query))
    })
}

function addShow(inbox: Command, deliver: Deliver): void {
  inbox
    .command('show')
    .description('show a report, its decision, and the runs of its handlers')
    .argument('<id>', 'from `inbox list`')
    .addOption(databaseOption())
    .addOption(jsonOption())
    .action(async (id: string, { database }: { database?: string }) => {
      deliver(await inboxShow(locateDatabase(database, process.env), id))
    })
}

interface MatchFlags {
  database?: string
  name?: string
  merchant?: string
}

function addMatch(inbox: Command, deliver: Deliver): void {
  inbox
    .command('match')
    .description('decide parked reports at once, when their order is stored')
    .argument('<reference>', 'of the order')
    .addOption(nameOption())
    .addOption(merchantOption())
    .addOption(databaseOption())
    .addOption(jsonOption())
    .action(async (reference: string, { database, name, merchant }: MatchFlags) => {
      const query = { reference, name, merchant }
      deliver(await inboxMatch(locateDatabase(database, process.env), query))
    })
}

interface ReplayFlags {
  database?: string
  reference?: string
  handler?: string
  name?: string
  merchant?: string
  since?: string
  by: string
  reason?: string
  all?: true
  yes?: true
}

function addReplay(inbox: Command, deliver: Deliver): void {
  inbox
    .command('replay')
    .description('run dead handlers again; a handler that is done never runs twice')
    .argument('[ids...]', 'of reports, from `inbox list`')
    .addOption(referenceOption())
    .option('--handler <name>', 'the handler of this name, for example onPaid.mail')
    .addOption(nameOption())
    .addOption(merchantOption())
    .addOption(sinceOption())
    .option('--all', 'every dead handler')
    .option('-y, --yes', 'do not ask for confirmation')
    .addOption(byOption())
    .addOption(reasonOption())
    .addOption(databaseOption())
    .addOption(jsonOption())
    .action(async (ids: string[], flags: ReplayFlags) => {
      const { reference, handler, name, merchant, by, reason } = flags
      const receivedSinceMs = sinceMs(flags.since)
      const filters = { reference, handler, name, merchant, receivedSinceMs }
      checkSelection(ids, filters, flags.all === true)
      const query = { ...filters, reportIds: ids.length === 0 ? undefined : ids }
      const location = locateDatabase(flags.database, process.env)
      const note = { by, reason }
      deliver(await inboxReplay(location, query, { note, isAgreed: flags.yes === true }))
    })
}

interface ReprocessFlags {
  database?: string
  reference?: string
  name?: string
  merchant?: string
  state?: (typeof REPROCESSABLE)[number]
  decision?: DecisionKind
  since?: string
  by: string
  reason?: string
  yes?: true
}

function addReprocess(inbox: Command, deliver: Deliver): void {
  inbox
    .command('reprocess')
    .description('apply the rules again to reports that were not decided as paid')
    .argument('[ids...]', 'of reports, from `inbox list`')
    .addOption(referenceOption())
    .addOption(nameOption())
    .addOption(merchantOption())
    .addOption(new Option('--state <state>', 'in this state').choices(REPROCESSABLE))
    .addOption(
      new Option('--decision <kind>', 'with this decision').choices(REPROCESSABLE_DECISIONS),
    )
    .addOption(sinceOption())
    .option('-y, --yes', 'do not ask for confirmation')
    .addOption(byOption())
    .addOption(reasonOption())
    .addOption(databaseOption())
    .addOption(jsonOption())
    .action(async (given: string[], flags: ReprocessFlags) => {
      const { reference, name, merchant, state, decision, by, reason } = flags
      const receivedAfterMs = sinceMs(flags.since)
      const filter = { reference, merchant, state, decision, receivedAfterMs }
      checkIds(given)
      if (given.length === 0 && Object.values(filter).every((value) => value === undefined)) {
        throw new UsageError(
          'select reports: ids, or a filter (--reference, --merchant, --state, --decision, --since)',
        )
      }
      const location = locateDatabase(flags.database, process.env)
      const selection = { ids: given, filter, name }
      const note = { by, reason }
      deliver(await inboxReprocess(location, selection, { note, isAgreed: flags.yes === true }))
    })
}

function checkSelection(ids: string[], filters: object, isAll: boolean): void {
  const isNarrowed = ids.length > 0 || Object.values(filters).some((value) => value !== undefined)
  if (isNarrowed === isAll) {
    throw new UsageError(
      isAll
        ? '--all cannot be combined with ids or filters'
        : 'select what to replay: ids of reports, a filter (--reference, --handler, --name, --merchant, --since), or --all',
    )
  }
  checkIds(ids)
}

function checkIds(ids: string[]): void {
  const wrong = ids.find((id) => !/^[1-9]\d{0,17}$/.test(id))
  if (wrong === undefined) return
  throw new UsageError(
    `${JSON.stringify(wrong)} is not an id of a report; \`tonplug inbox list\` shows them`,
  )
}

function sinceMs(since: string | undefined): number | undefined {
  return since === undefined ? undefined : parseSince(since, Date.now())
}

import { createHash } from 'node:crypto'
import type { Order, Report, StoredCredit } from '@tonplug/core'
import { assetId, bodyOfItem } from './items.js'
import type { SentCredit } from './sent-credit.js'
import type { OrderKey, Step, StepOf } from './steps.js'
import type { World } from './world.js'

const MOST_ROWS = 1000
const CLAIM = 'credit:'
const BAD_NEWS = ['onExtraPayment', 'onMismatch', 'onUnknownOrder', 'onUnverified']
/** The notifications of a jetton that no order asks for are coins: one base unit each. */
const NOTIFICATIONS = 6n
const TO_DO = ['assign', 'accept_or_refund', 'refund', 'check']

interface End {
  world: World
  orders: readonly { asked: StepOf<'order'>; now: Order | null }[]
  stored: ReadonlyMap<string, StoredCredit>
  reports: readonly Report[]
  problems: string[]
}

/** Checks what DESIGN 2 promises, when all work is done. @returns the problems in words */
export async function checkPromises(world: World): Promise<string[]> {
  const { credits, stores, done } = world
  const stored = await stores.inbox.credits.find({ ids: credits.map(({ id }) => id) })
  const asked = done.filter((step) => step.kind === 'order')
  const orders = []
  for (const one of asked) orders.push({ asked: one, now: await stores.orders.find(one) })
  const end: End = {
    world,
    orders,
    stored: new Map(stored.map((one) => [one.id, one])),
    reports: await stores.inbox.reports.list({ name: 'default', limit: MOST_ROWS }),
    problems: [],
  }
  const { undecided, open, dead } = await stores.inbox.stats()
  if (undecided + open + dead > 0)
    end.problems.push(`unfinished work: ${undecided} undecided, ${open} open, ${dead} dead`)
  for (const credit of credits) checkCredit(end, credit)
  checkOrders(end)
  await checkLists(end)
  await checkSums(end)
  await checkRefunds(end)
  return end.problems
}

/** A unit of money has one use; what has none is reported. */
function checkCredit(end: End, sent: SentCredit): void {
  const { problems, stored, orders } = end
  const name = nameOf(sent)
  const credit = stored.get(sent.id)
  if (credit === undefined) {
    if (isAsked(end, sent)) problems.push(`the credit ${name} is not stored`)
    return
  }
  const used = sumOf(credit)
  if (used > sent.amount) problems.push(`${name} has uses of ${used} of ${sent.amount}`)
  if (usesOf(credit, 'order').length > 1) problems.push(`${name} is used by two orders`)
  for (const use of usesOf(credit, 'order')) {
    const { asked, now } = orders.find((one) => isOf(one.asked, use)) ?? {}
    if (asked === undefined || now?.status !== 'completed')
      problems.push(`${name} is used by ${use.reference}, which is ${now?.status}`)
    else if (!hasRight(end, sent, asked))
      problems.push(`${name} is used by ${use.reference}, which it is not for`)
  }
  const told = toldOf(end, sent)
  if (credit.uses.length === 0 && told.length === 0 && isAsked(end, sent))
    problems.push(`nothing is reported about the unused ${name}`)
  for (const event of BAD_NEWS) {
    const keys = told.filter((run) => run.event === event)
    if (keys.length > 1 && !isMoved(end, sent))
      problems.push(`${event} is reported ${keys.length} times about ${name}`)
  }
  const extra = told.some(({ event }) => event === 'onExtraPayment')
  const isWhole = usesOf(credit, 'order').some((use) => use.rawAmount === sent.amount)
  if (isWhole && extra && !isMoved(end, sent))
    problems.push(`${name} is extra, and used by an order`)
}

/** Each order is paid once, by money that is for it. */
function checkOrders(end: End): void {
  const { world, orders, stored, problems } = end
  for (const { asked, now } of orders) {
    const { reference } = asked
    const keys = new Set(
      world.runs.filter((run) => run.event === 'onPaid' && isOf(asked, run)).map(({ key }) => key),
    )
    const isPaid = now?.status === 'completed'
    if (keys.size !== (isPaid ? 1 : 0))
      problems.push(`onPaid ran ${keys.size} times for ${reference}, which is ${now?.status}`)
    if (!isPaid) continue
    const uses = [...stored.values()].flatMap((credit) =>
      usesOf(credit, 'order').filter((use) => isOf(asked, use)),
    )
    const used = uses.reduce((sum, { rawAmount }) => sum + rawAmount, 0n)
    if (uses.length === 0) problems.push(`${reference} is completed without a credit`)
    else if (used < asked.amount && !isAccepted(world.done, asked))
      problems.push(`${reference} is completed with ${used} of ${asked.amount}`)
    checkAccepted(end, asked)
    // The payments that an operator accepts keep their own hashes.
    const hashes = new Set(uses.map(({ payment }) => payment))
    if (hashes.size > 1 && !isAccepted(world.done, asked))
      problems.push(`${reference} has uses of several payments`)
  }
}

/** An order uses one of the credits that each payment accepted for it may be. */
function checkAccepted({ world, reports, stored, problems }: End, asked: StepOf<'order'>): void {
  const accepted = reports
    .filter((report) => isOf(asked, report))
    .flatMap(({ decision }) => (decision?.kind === 'paid' && decision.accepted) || [])
  for (const { txHash, asset } of accepted) {
    const ofPayment = world.credits.filter(
      (sent) => sent.trace.includes(txHash) && assetId(sent.asset) === asset,
    )
    const uses = ofPayment.flatMap(({ id }) => stored.get(id)?.uses ?? [])
    if (uses.length > 0 && !uses.some((use) => use.kind === 'order' && isOf(asked, use)))
      problems.push(
        `${asked.reference} does not use ${ofPayment.map(nameOf).join()}, accepted for it`,
      )
  }
}

/** Unused money is listed with something to do, the rest is not. Of equal payments in one trace, a row may be about each. */
async function checkLists(end: End): Promise<void> {
  const { world, stored, problems } = end
  const listed = await world.operator().list({ limit: MOST_ROWS })
  for (const group of groupsOf(world.credits)) {
    const rowsOf = (sent: SentCredit) => {
      const ofCredit = end.reports.filter((report) => isAbout(report, sent)).map(({ id }) => id)
      return listed.filter(({ reportId }) => ofCredit.includes(reportId))
    }
    const isToDo = ({ action }: { action: string }): boolean => TO_DO.includes(action)
    const toDo = new Set(group.flatMap(rowsOf).filter(isToDo))
    const unused = group.filter(({ id }) => stored.get(id)?.uses.length === 0)
    for (const sent of group) {
      const credit = stored.get(sent.id)
      if (credit === undefined) continue
      const rows = rowsOf(sent)
      // A webhook finds that a refund was released at its next look, up to an hour later.
      const isOfTrace = ({ txHash }: { txHash: string }): boolean => sent.trace.includes(txHash)
      const waiting = listed.filter((row) => row.action === 'wait' && isOfTrace(row))
      const isWaiting = credit.releasedRefunds !== undefined && waiting.length > 0
      const isHidden = credit.uses.length === 0 && !rows.some(isToDo)
      if (isHidden && toDo.size < unused.length && isAsked(end, sent) && !isWaiting)
        problems.push(
          `${nameOf(sent)} is unused, and listed with nothing to do: ${rows.map(({ action }) => action).join()}`,
        )
      if (leftOf(credit) === 0n && rows.some(isToDo))
        problems.push(
          `${nameOf(sent)} is used, and listed with ${rows.map(({ action }) => action).join()}`,
        )
    }
  }
}

/** Groups equal payments of one trace. */
function groupsOf(credits: readonly SentCredit[]): SentCredit[][] {
  const groups = new Map<string, SentCredit[]>()
  for (const sent of credits) {
    const key = `${sent.traceId} ${sent.bodyHash} ${sent.asset} ${sent.amount}`
    groups.set(key, [...(groups.get(key) ?? []), sent])
  }
  return [...groups.values()]
}

async function checkSums({ world, stored, problems }: End): Promise<void> {
  const period = { from: new Date(0), before: new Date(2 ** 42) }
  const { credits } = await world.operator().sums(period)
  for (const { asset, rawAmount, count } of credits) {
    const own = [...stored.values()].filter((one) => one.asset === asset)
    const sum = own.reduce((total, one) => total + one.rawAmount, 0n)
    if (rawAmount < sum || rawAmount - sum > NOTIFICATIONS)
      problems.push(`the sum of ${asset} is ${rawAmount} of ${count}, not ${sum} of ${own.length}`)
  }
}

/**
 * Money that nothing uses can be refunded by an operator of one of the merchants, the rest cannot. A transaction may name any payment
 * of its trace: the ledger says which one is refunded. Changes the ledger.
 */
async function checkRefunds(end: End): Promise<void> {
  const { world, stored, problems } = end
  const isRefunded = (credit: StoredCredit | undefined): boolean =>
    credit !== undefined && usesOf(credit, 'refund').length > 0
  const groups = groupsOf(world.credits).filter(
    (group) => !group.some(({ id }) => isRefunded(stored.get(id))),
  )
  const states = new Map<SentCredit, string[]>()
  for (const sent of groups.flat()) states.set(sent, await refundStates(end, sent))
  const ids = world.credits.map(({ id }) => id)
  const found = await world.stores.inbox.credits.find({ ids })
  const now = new Map(found.map((credit) => [credit.id, credit]))
  for (const group of groups) {
    const credits = group.flatMap(({ id }) => stored.get(id) ?? [])
    // A jetton that is not stored has no use either.
    const free = group.length - credits.filter((credit) => leftOf(credit) === 0n).length
    const refunded = group.filter(({ id }) => isRefunded(now.get(id))).length
    if (refunded === free) continue
    if (refunded < free && !group.every((sent) => isAsked(end, sent))) continue
    const all = group.flatMap((sent) => states.get(sent) ?? [])
    problems.push(
      `${free} of ${group.map(nameOf).join()} are unused, and refunds are ${all.join()}`,
    )
  }
}

/** Returns the states of the refund of a credit by any of its reports and merchants. */
async function refundStates(
  { world, orders, reports, stored }: End,
  sent: SentCredit,
): Promise<string[]> {
  const merchants = new Set(['', ...orders.map(({ asked }) => asked.merchant)])
  const about = reports.filter(
    (report) => isAbout(report, sent) && report.decision?.kind !== 'refund',
  )
  const payments = stored.get(sent.id)?.uses.flatMap(({ payment = '' }) => payment) ?? []
  const credit = stored.get(sent.id)
  const others =
    credit && leftOf(credit) > 0n ? [...payments, ...about.map((report) => report.txHash)] : []
  const named = new Set([sent.txHash, ...others.filter((hash) => sent.trace.includes(hash))])
  const states: string[] = []
  for (const txHash of named) {
    // It is the transaction of other money.
    if (txHash !== sent.txHash && world.credits.some((one) => one.txHash === txHash)) continue
    for (const merchant of merchants) {
      states.push(await world.refund({ ...sent, merchant, isSigned: false }, txHash))
    }
  }
  return states
}

/** Anyone can send jettons that no order asks for. A webhook asks for one, unless it may repeat another payment of the trace. */
function isAsked({ orders, world }: End, sent: SentCredit): boolean {
  if (sent.asset === 'TON' || orders.some(({ asked }) => asked.reference === sent.comment))
    return true
  const alike = world.credits.filter(
    (one) => one.traceId === sent.traceId && one.asset === sent.asset,
  )
  return (
    alike.length === 1 &&
    world.done.some((step) => step.kind === 'webhook' && isAboutTrace(world, step, sent))
  )
}

/** Money is for the order that its body or comment names, or else that a webhook about it or an operator names. */
function hasRight({ world, orders }: End, sent: SentCredit, asked: StepOf<'order'>): boolean {
  const steps = world.done.filter((step) => 'reference' in step && isOf(asked, step))
  if (steps.some((step) => step.kind === 'assign' && isAboutTrace(world, step, sent))) return true
  const bound = orders.filter(
    (one) => one.asked.isBound && bodyOfItem(one.asked).hash === sent.bodyHash,
  )
  if (bound.length > 0) return bound.some((one) => one.asked === asked)
  const named = orders.filter((one) => one.asked.reference === sent.comment)
  if (named.length > 0) return named.some((one) => one.asked === asked)
  return steps.some((step) => step.kind === 'webhook' && isAboutTrace(world, step, sent))
}

/** A webhook, and an operator, may name another one of interchangeable credits. */
function isAboutTrace(
  world: World,
  step: { payment: string; item: number },
  sent: SentCredit,
): boolean {
  const other = world.credits.find((one) => one.payment === step.payment && one.item === step.item)
  return (
    other?.traceId === sent.traceId &&
    other.bodyHash === sent.bodyHash &&
    other.asset === sent.asset
  )
}

function isMoved({ world }: End, sent: SentCredit): boolean {
  return world.done.some(
    (step) =>
      (step.kind === 'assign' && step.payment === sent.payment) ||
      step.kind === 'reprocess' ||
      step.kind === 'accept',
  )
}

function isAccepted(done: readonly Step[], key: OrderKey): boolean {
  return done.some((step) => step.kind === 'accept' && isOf(key, step))
}

/**
 * Returns the runs about a credit, one for each key. A key is made of the credit where that is known: a report may have been about
 * another credit when its handlers ran.
 */
function toldOf({ world, reports }: End, sent: SentCredit) {
  const runs = new Map(
    world.runs.filter(({ event }) => BAD_NEWS.includes(event)).map((run) => [run.key, run]),
  )
  return [...runs.values()].filter((run) => {
    const credit = world.credits.find((one) => keyOf(one, run.event) === run.key)
    if (credit !== undefined) return credit === sent
    const report = reports.find(({ id }) => id === run.reportId)
    return report !== undefined && isAbout(report, sent)
  })
}

/** Returns the key of a handler's runs about a credit. */
function keyOf({ id }: SentCredit, handler: string): string {
  return createHash('sha256')
    .update(JSON.stringify(['default', id, handler]))
    .digest('base64url')
}

/** A report is about the credit that it claims or that its decision names, or else about its transaction. */
function isAbout(report: Report, { id, txHash }: SentCredit): boolean {
  const { decision, payments } = report
  const named = decision !== undefined && 'credit' in decision ? decision.credit : undefined
  if (named?.includes(id) === true || payments.includes(`${CLAIM}${id}`)) return true
  const isOther = named !== undefined || payments.some((one) => one.startsWith(CLAIM))
  return !isOther && report.txHash === txHash
}

function usesOf(credit: StoredCredit, kind: 'order' | 'refund') {
  return credit.uses.filter((use) => use.kind === kind)
}

function sumOf({ uses }: StoredCredit): bigint {
  return uses.reduce((sum, { rawAmount }) => sum + rawAmount, 0n)
}

function leftOf(credit: StoredCredit): bigint {
  return credit.rawAmount - sumOf(credit)
}

function isOf(order: OrderKey, key: { reference: string; merchant?: string | undefined }): boolean {
  return order.reference === key.reference && order.merchant === key.merchant
}

function nameOf({ payment, item, asset, comment, amount }: SentCredit): string {
  return `${payment}/${item} (${amount} ${assetId(asset).slice(0, 4)} "${comment}")`
}

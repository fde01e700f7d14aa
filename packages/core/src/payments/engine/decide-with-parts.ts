import { addsUp } from '../orders/amounts.js'
import type { Decision } from '../orders/decision.js'
import { offerIn } from '../orders/offers.js'
import type { Order } from '../orders/order.js'
import { allReports } from '../inbox/all-reports.js'
import type { CheckedInbox } from '../inbox/checked-inbox.js'
import type { Report } from '../inbox/inbox-reports.js'
import { acceptedBy, isAccepted } from './accepted-money.js'
import { isPartOfPayment, partsOf, partsToAdd, partsUpTo, sumUp, type Part } from './add-up.js'
import { applyRules, lateRuleOf, type Decidable } from './apply-rules.js'
import { asSeen, completeParts, decideReport, recordRepetition } from './decide-report.js'
import { isHeld } from './decision-table.js'
import { endOtherUses } from './end-lost-uses.js'
import type { EngineParts, Policy, Stores } from './engine-parts.js'
import { withRecordedPayment } from './recorded-payment.js'
import { creditsOf, keyOf } from './report.js'

/** Attempts until a report is decided by itself: another process uses or refunds a part at the same moment. */
const ATTEMPTS = 3

/**
 * Decides a stored report as {@link decideReport}. With `amounts: { partial: 'add-up' }`, the credits of an order in one asset
 * are one payment: the transfer that reaches the price completes the order, and claims all.
 * @returns the decision; `duplicate` when another attempt recorded one first.
 */
export async function decideWithParts<O extends Order>(
  engine: EngineParts<O>,
  stored: Decidable<O>,
): Promise<Decision> {
  // An operator has chosen the payments.
  const isChosen = acceptedBy(stored.report) !== undefined
  if (!addsUp(engine.policy.amounts)) return decideReport(engine, stored)
  const decision = await (isChosen ? decideReport : decideParts)(engine, stored)
  if (decision.kind === 'paid' && stored.order !== null) {
    const { inbox, joined } = engine.stores
    // A sum may have claimed the payment, which has completed the order alone, at the same moment.
    if (joined === undefined) await endOtherUses(inbox, { ...stored.report, decision })
    await redecideUnused(inbox, stored.report.name, stored.order)
  }
  // A mismatch of a completed order stays one, however often it is decided.
  if (decision.kind === 'amount_mismatch' && stored.order?.status !== 'completed') {
    await redecideIfCompleted(engine.stores, stored.report)
  }
  return decision
}

/**
 * Decides a mismatch again whose order was completed in the meantime: it is a part of the payment, or an extra one. Either
 * this look finds the completed order, or the look of the process that completes it finds the recorded mismatch.
 */
async function redecideIfCompleted<O extends Order>(
  { orders, inbox }: Stores<O>,
  report: Report,
): Promise<void> {
  const order = await orders.find(keyOf(report))
  if (order?.status !== 'completed') return
  await inbox.reports.redecide({ name: report.name, ids: [report.id] })
}

/**
 * Decides parts of a completed order again, when a report of one is repeated: a process that was killed, or could not reach the
 * stores, may have recorded the completion, the acceptance or the mismatch without this look.
 */
export async function lookAtPartsAgain<O extends Order>(
  { stores: { inbox }, policy: { amounts } }: EngineParts<O>,
  { report, order }: Pick<Decidable<O>, 'report' | 'order'>,
): Promise<void> {
  const { id, name, merchant, reference, source, decision } = report
  if (order?.status !== 'completed') return
  const isPart = addsUp(amounts) && source !== 'webhook'
  if (isHeld(decision)) {
    const isLeft = isPart && decision.kind === 'amount_mismatch'
    if (isLeft || (await isAccepted(inbox, report))) {
      await inbox.reports.redecide({ name, ids: [id] })
    }
    return
  }
  if (!isPart || decision?.kind !== 'paid') return
  const key = { name, merchant, reference }
  const left = await allReports(inbox.reports, { ...key, decision: 'amount_mismatch' })
  if (left.length > 0) await inbox.reports.redecide({ name, ids: left.map((one) => one.id) })
}

/** Decides the parts of an order again that nothing uses: they are extra payments now. */
async function redecideUnused<O extends Order>(
  inbox: CheckedInbox,
  name: string,
  order: O,
): Promise<void> {
  const parts = await partsOf({ name, inbox }, order)
  await redecide(
    inbox,
    parts.filter(({ isUsed, report }) => !isUsed && report.decision?.kind === 'amount_mismatch'),
  )
}

async function decideParts<O extends Order>(
  engine: EngineParts<O>,
  stored: Decidable<O>,
): Promise<Decision> {
  const { stores, policy } = engine
  let read = stored.order
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const order = await withRecordedPayment(stores.inbox, stored.report, read)
    const facts = { ...stored, order }
    if (await isPartOfPayment(stores.inbox, facts)) {
      return asSeen(await recordRepetition(engine, facts), facts)
    }
    const fitting = (part: Part, whole: O): boolean => fits(policy, part, whole)
    const parts = await partsToAdd(stores.inbox, facts, fitting)
    if (parts === undefined) break
    const decision = await decideAdded(engine, facts, parts)
    if (decision === 'not added') break
    if (decision !== undefined) return decision
    read = await stores.orders.find(keyOf(stored.report))
  }
  return decideReport(engine, { ...stored, order: read })
}

/** Returns true for a part that would pay the order if it had the amount. */
function fits<O extends Order>(
  policy: Policy<O>,
  { report, transfer, asset }: Part,
  order: O,
): boolean {
  const offer = offerIn(order, asset)
  const open: O = { ...order, status: 'pending', payment: undefined }
  const exact = { ...transfer, rawAmount: `${offer?.rawAmount}` }
  const whole = { report, transfer: exact, order: open }
  return applyRules(policy, whole, 'accepted').kind === 'paid'
}

/**
 * @returns `undefined` when a part was used otherwise in the meantime, or the order was completed; `not added` when the sum does
 *   not pay the order, or the other parts do.
 */
async function decideAdded<O extends Order>(
  engine: EngineParts<O>,
  facts: Decidable<O>,
  parts: readonly Part[],
): Promise<Decision | 'not added' | undefined> {
  const whole = { ...facts, transfer: sumUp(facts.transfer, parts) }
  const decision = applyRules(engine.policy, whole, await lateRuleOf(engine, whole))
  if (decision.kind !== 'paid') return 'not added'
  const needed = decision.surplus ? partsUpTo(BigInt(decision.expected), parts) : parts
  if (needed.length < parts.length) return decideNeeded(engine, facts, needed)
  const concluded = {
    ...decision,
    parts: parts.map(({ report: { txHash }, amount }) => ({ txHash, rawAmount: `${amount}` })),
  }
  const payments = parts.flatMap(({ report }) => report.payments)
  const recorded = await completeParts(engine, { concluded, payments }, whole)
  if (recorded === undefined) return undefined
  // Their decisions are replaced: they are parts of the payment. Some may have been recorded since the parts were read.
  await redecide(
    engine.stores.inbox,
    parts.filter(
      ({ report: { id, decision } }) => id !== facts.report.id && decision?.kind !== 'duplicate',
    ),
  )
  return asSeen(recorded, facts)
}

/** Decides the first parts, which reach the price: the rest of them is not used. */
async function decideNeeded<O extends Order>(
  engine: EngineParts<O>,
  facts: Decidable<O>,
  needed: readonly Part[],
): ReturnType<typeof decideAdded> {
  const own = creditsOf(facts.report)
  const isNeeded = needed.some(({ credit }) => own.includes(credit))
  if (isNeeded && needed.length > 1) return decideAdded(engine, facts, needed)
  if (!isNeeded) await redecide(engine.stores.inbox, needed.slice(-1))
  return 'not added'
}

async function redecide(inbox: CheckedInbox, parts: readonly Part[]): Promise<void> {
  const [first] = parts
  if (first === undefined) return
  await inbox.reports.redecide({
    name: first.report.name,
    ids: parts.map(({ report }) => report.id),
  })
}

import type { Clock } from '../../shared/clock.js'
import { hashesOf } from '../ledger/credit.js'
import {
  CREDIT_CLAIM,
  type CreditClaim,
  type CreditPlace,
  type CreditUse,
  type InboxCredits,
  type LostUse,
  type NamedOrder,
  type NewCredit,
  type RefundRelease,
  type StoredCredit,
} from './inbox-credits.js'

/** A credit may be used before it is stored. A use without an amount is one of the whole credit. */
interface CreditRow {
  credit?: NewCredit
  seenAtMs: number
  /** Uses by their owners. */
  uses: Map<string, UseRow>
  /** The kinds of uses that have ended, by their owners. */
  released: Map<string, CreditUse['kind']>
}

interface UseRow extends Omit<CreditUse, 'rawAmount'> {
  rawAmount: bigint | undefined
  /** The key of the payment that is linked to the credit. */
  link: string | undefined
}

interface Ledger {
  clock: Clock
  rows: Map<string, CreditRow>
  /** The ids of stored credits by the hashes that find them. */
  byHash: Map<string, Set<string>>
  /** The ids of credits by the payments that they are linked to. */
  links: Map<string, string>
  /** The orders that claimed anything else. */
  claims: Map<string, string>
}

/** Creates the ledger of the memory inbox. */
export function memoryCredits(clock: Clock): InboxCredits {
  const rows = new Map<string, CreditRow>()
  const byHash = new Map<string, Set<string>>()
  const ledger: Ledger = { clock, rows, byHash, links: new Map(), claims: new Map() }
  const read = (ids: Iterable<string>): StoredCredit[] =>
    [...new Set(ids)].flatMap((id) => toStored(rows.get(id)) ?? [])
  return {
    store: async (credits) => {
      for (const credit of credits) storeCredit(ledger, credit)
    },
    find: async (query) =>
      read(
        'ids' in query ? query.ids : query.hashes.flatMap((hash) => [...(byHash.get(hash) ?? [])]),
      ),
    list: async ({ fromUtime, beforeUtime = Infinity, after, limit }) =>
      read(rows.keys())
        .filter(({ utime }) => utime >= fromUtime && utime < beforeUtime)
        .filter((credit) => after === undefined || compareTimes(credit, after) > 0)
        .toSorted(compareTimes)
        .slice(0, limit),
    listOf: async (order) => {
      const wanted = orderKey(order)
      const isUse = (use: CreditUse): boolean => use.kind === 'order' && orderKey(use) === wanted
      const isNamed = ({ order: named }: StoredCredit): boolean =>
        named !== undefined && orderKey(named) === wanted
      return read(rows.keys()).filter((credit) => isNamed(credit) || credit.uses.some(isUse))
    },
    listOfWallet: async ({ wallet, after, limit }) =>
      read(rows.keys())
        .filter((credit) => credit.wallet === wallet)
        .filter((credit) => after === undefined || comparePlaces(credit, after) > 0)
        .toSorted(comparePlaces)
        .slice(0, limit),
    claim: async (claim) => claimAll(ledger, claim),
    release: async (released) =>
      'payment' in released ? endLostUse(ledger, released) : release(ledger, released),
  }
}

function comparePlaces(one: CreditPlace, other: CreditPlace): number {
  for (const field of ['account', 'asset', 'utime', 'id'] as const) {
    if (one[field] !== other[field]) return one[field] < other[field] ? -1 : 1
  }
  return 0
}

function compareTimes(
  one: Pick<StoredCredit, 'utime' | 'id'>,
  other: Pick<StoredCredit, 'utime' | 'id'>,
): number {
  return one.utime - other.utime || (one.id < other.id ? -1 : one.id > other.id ? 1 : 0)
}

function rowOf({ rows, clock }: Ledger, id: string): CreditRow {
  const known = rows.get(id)
  if (known !== undefined) return known
  const row: CreditRow = { seenAtMs: clock.nowMs(), uses: new Map(), released: new Map() }
  rows.set(id, row)
  return row
}

function storeCredit(ledger: Ledger, given: NewCredit): void {
  const row = rowOf(ledger, given.id)
  row.credit = { ...(row.credit ?? given), order: row.credit?.order ?? given.order }
  for (const hash of hashesOf(given)) {
    const ids = ledger.byHash.get(hash)
    if (ids === undefined) ledger.byHash.set(hash, new Set([given.id]))
    else ids.add(given.id)
  }
}

function toStored(row: CreditRow | undefined): StoredCredit | undefined {
  if (row?.credit === undefined) return undefined
  const { credit, seenAtMs, uses, released } = row
  const { rawAmount: whole } = credit
  const used = [...uses.values()].map((row) => {
    const { kind, name, merchant, reference, payment, usedAtMs, rawAmount } = row
    return {
      kind,
      name,
      merchant,
      reference,
      rawAmount: usedOf(rawAmount, whole),
      payment,
      usedAtMs,
    }
  })
  const releasedRefunds = [...released.values()].filter((kind) => kind === 'refund').length
  const releases = releasedRefunds > 0 && { releasedRefunds }
  return { ...credit, seenAtMs, uses: used, ...releases }
}

function claimAll(ledger: Ledger, claim: CreditClaim): boolean {
  const { kind = 'order', name, merchant, reference, payments, payment, unlessStored = [] } = claim
  if (unlessStored.some((hash) => ledger.byHash.has(hash))) return false
  const order = orderKey(claim)
  const owner = ownerOf(kind, claim)
  const others = payments
    .filter((one) => !one.startsWith(CREDIT_CLAIM))
    .map((one) => JSON.stringify([name, merchant, one]))
  const links = wantedCredits(ledger, claim).map(({ id, rawAmount }, part) => {
    const isLinked = payment !== undefined && ledger.rows.get(id)?.credit !== undefined
    const link = isLinked ? JSON.stringify([order, payment, part]) : undefined
    return { id, link, rawAmount }
  })
  const takes = takenFrom(claim)
  const mayHave = (holder: string): boolean => holder === order || takes.has(holder)
  const isFree =
    others.every((one) => mayHave(ledger.claims.get(one) ?? order)) &&
    links.every(({ id }) => isFreeFor(ledger.rows.get(id), { owner, kind, takes })) &&
    links.every(({ id, link = '' }) => (ledger.links.get(link) ?? id) === id)
  if (!isFree) return false
  for (const one of others) ledger.claims.set(one, order)
  for (const { id, link, rawAmount } of links) {
    const row = rowOf(ledger, id)
    const standing = row.uses.get(owner)
    if (standing === undefined) endUses(ledger, row, takes)
    const use = standing ?? {
      kind,
      name,
      merchant,
      reference,
      payment,
      link,
      rawAmount: kind === 'refund' ? leftOf(row.credit, row.uses.values()) : rawAmount,
      usedAtMs: ledger.clock.nowMs(),
    }
    row.uses.set(owner, use)
    if (link === undefined) continue
    if (use.link !== undefined) ledger.links.delete(use.link)
    Object.assign(use, { payment, link })
    ledger.links.set(link, id)
  }
  return true
}

function release(ledger: Ledger, refund: RefundRelease): void {
  const row = ledger.rows.get(refund.credit)
  const owner = ownerOf('refund', refund)
  if (row?.uses.delete(owner) !== true) return
  row.released.set(owner, 'refund')
  for (const [one, order] of ledger.claims) {
    if (order === orderKey(refund)) ledger.claims.delete(one)
  }
}

function endLostUse(ledger: Ledger, lost: LostUse): void {
  const { name, merchant, credit, payment, payments } = lost
  const row = ledger.rows.get(credit)
  const owner = ownerOf('order', lost)
  const use = row?.uses.get(owner)
  if (row === undefined || use === undefined || use.payment !== payment) return
  row.uses.delete(owner)
  if (use.link !== undefined) ledger.links.delete(use.link)
  for (const one of payments) {
    const key = JSON.stringify([name, merchant, one])
    if (ledger.claims.get(key) === orderKey(lost)) ledger.claims.delete(key)
  }
}

function ownerOf(kind: CreditUse['kind'], order: NamedOrder): string {
  return JSON.stringify([kind, orderKey(order)])
}

/** Returns the claimed credits with the amounts that an order uses of them; `undefined` for all of one that is not stored. */
function wantedCredits(
  { rows }: Ledger,
  { payments, usedAmount, kind }: CreditClaim,
): { id: string; rawAmount: bigint | undefined }[] {
  const ids = [...new Set(payments)].flatMap((one) =>
    one.startsWith(CREDIT_CLAIM) ? one.slice(CREDIT_CLAIM.length) : [],
  )
  const wanted: { id: string; rawAmount: bigint | undefined }[] = []
  let missing = kind === 'refund' ? undefined : usedAmount
  for (const id of ids) {
    if (missing === 0n) break
    const whole = rows.get(id)?.credit?.rawAmount
    const isAlone = whole === undefined && ids.length === 1
    const rawAmount = missing === undefined ? whole : isAlone ? missing : least(whole, missing)
    if (missing !== undefined) missing -= rawAmount ?? 0n
    wanted.push({ id, rawAmount })
  }
  return wanted
}

function least(whole: bigint | undefined, missing: bigint): bigint | undefined {
  return whole !== undefined && missing < whole ? missing : whole
}

/** Returns the amount of a use. An order may want more of a credit that is not stored yet than has arrived. */
function usedOf(rawAmount: bigint | undefined, whole: bigint): bigint {
  return rawAmount === undefined || rawAmount > whole ? whole : rawAmount
}

/** A claim on a credit. */
interface Claimant {
  owner: string
  kind: CreditUse['kind']
  takes: ReadonlyMap<string, string | undefined>
}

/** Only a refund uses what an order has left, unless it was released. */
function isFreeFor(row: CreditRow | undefined, { owner, kind, takes }: Claimant): boolean {
  if (row?.released.has(owner) === true) return false
  if (row === undefined || row.uses.has(owner)) return true
  const uses = [...row.uses.values()]
  if (uses.some((use) => isTaken(use, takes) && isPaidBy(use, takes))) return false
  const kept = uses.filter((use) => !isTaken(use, takes))
  return kept.length === 0 || (kind === 'refund' && (leftOf(row.credit, kept) ?? 0n) > 0n)
}

/** Returns the payments of the orders that a refund takes money from, by the keys of the orders. */
function takenFrom({ name, merchant, takesFrom = [] }: CreditClaim): Claimant['takes'] {
  return new Map(
    takesFrom.map(({ reference, payment }) => [orderKey({ name, merchant, reference }), payment]),
  )
}

function isTaken(use: UseRow, takes: Claimant['takes']): boolean {
  return use.kind === 'order' && takes.has(orderKey(use))
}

function isPaidBy(use: UseRow, takes: Claimant['takes']): boolean {
  return use.payment !== undefined && use.payment === takes.get(orderKey(use))
}

function endUses(ledger: Ledger, row: CreditRow, takes: Claimant['takes']): void {
  for (const [owner, use] of row.uses) {
    if (!isTaken(use, takes)) continue
    row.uses.delete(owner)
    row.released.set(owner, use.kind)
    if (use.link !== undefined) ledger.links.delete(use.link)
  }
}

/** Returns what is unused of a credit; `undefined` for all of one that is not stored. */
function leftOf(credit: NewCredit | undefined, uses: Iterable<UseRow>): bigint | undefined {
  if (credit === undefined) return undefined
  const { rawAmount: whole } = credit
  return [...uses].reduce((left, { rawAmount }) => left - usedOf(rawAmount, whole), whole)
}

function orderKey({ name, merchant, reference }: NamedOrder): string {
  return JSON.stringify([name, merchant, reference])
}

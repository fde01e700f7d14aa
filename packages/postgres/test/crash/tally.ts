import type { Ledger } from './ledger.js'
import type { OpenRequest, Traffic } from './traffic.js'

/** Instants of deliveries and handlers at which faults have struck. */
const PLACES = [
  'before the store',
  'between store and decision',
  'between completion and decision',
  'between decision and answer',
  'answered before or since',
  'a handler',
  'between a handler and its record',
] as const

export type Place = (typeof PLACES)[number]

export interface Tally {
  /** Counts what the last fault interrupted. */
  count(open: readonly OpenRequest[]): Promise<void>
  counts(): Readonly<Record<Place, number>>
  /** Returns transfers that were acknowledged and had no decision after a fault. */
  broken(): readonly string[]
}

/** Examines the database after each fault. */
export function createTally({ ledger, traffic }: { ledger: Ledger; traffic: Traffic }): Tally {
  const counts = Object.fromEntries(PLACES.map((place) => [place, 0])) as Record<Place, number>
  const seenLeases = new Set<string>()
  const broken: string[] = []

  const placeOf = async (request: OpenRequest): Promise<Place> => {
    if (traffic.isAcknowledged(request)) return 'answered before or since'
    const { state, isCompleted } = await ledger.standing(request)
    if (state === 'absent') return 'before the store'
    if (state !== 'undecided') return 'between decision and answer'
    return isCompleted ? 'between completion and decision' : 'between store and decision'
  }
  return {
    async count(open) {
      for (const request of open) {
        if (request.isGenuine) counts[await placeOf(request)]++
      }
      for (const { leaseId, hasRun } of await ledger.leased()) {
        if (!seenLeases.has(leaseId)) {
          counts[hasRun ? 'between a handler and its record' : 'a handler']++
        }
        seenLeases.add(leaseId)
      }
      // Taken before the query: a running server continues to decide and to acknowledge.
      const isAcknowledged = traffic.acknowledgedNow()
      for (const transfer of await ledger.undecided()) {
        if (isAcknowledged(transfer)) broken.push(`${transfer.reference}, ${transfer.txHash}`)
      }
    },
    counts: () => counts,
    broken: () => broken,
  }
}

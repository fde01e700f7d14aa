import { createGatewayStandIn, type DeliveryFetch, type ManualClock } from '@tonplug/testing'
import type { PlannedDelivery, Purchase } from './purchases.js'

const LAST_ATTEMPT = 4

/** A request that has no answer yet. */
export interface OpenRequest {
  reference: string
  txHash: string
  attempt: number
  isGenuine: boolean
}

/** What became of a delivery. */
interface DeliveryOutcome {
  reference: string
  txHash: string
  isGenuine: boolean
  isDelivered: boolean
  /** The status of each attempt; `undefined` where the connection broke or there was none. */
  statuses: (number | undefined)[]
}

type IsAcknowledged = (transfer: Pick<OpenRequest, 'reference' | 'txHash'>) => boolean

/** The gateway's side: what is sent, when again, and how it was answered. */
export interface Traffic {
  begin(purchase: Purchase): void
  /** Where requests go from now on; `undefined` while no server is there. */
  route(url: string | undefined): void
  open(): OpenRequest[]
  /** Resolves when every request that was made has its answer, or broke. */
  settled(): Promise<void>
  /** Deliveries that are over. */
  outcomes(): readonly DeliveryOutcome[]
  /** Whether every delivery is over. */
  isOver(): boolean
  /** Whether a delivery of this transfer was answered 2xx. */
  isAcknowledged: IsAcknowledged
  /** The same, of this moment, whatever is answered later. */
  acknowledgedNow(): IsAcknowledged
}

/**
 * Deliveries with the gateway's retries. The last attempt of each waits until a server is there: what loses all four
 * is not for the inbox to save.
 */
export function createTraffic(clock: ManualClock, secret: string): Traffic {
  const requests = new Map<OpenRequest, Promise<unknown>>()
  const outcomes: DeliveryOutcome[] = []
  const acknowledged = new Set<string>()
  let begun = 0
  let currentUrl: string | undefined
  let waiting: (() => void)[] = []

  const reachable = async (): Promise<void> => {
    while (currentUrl === undefined) {
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
  }
  const fetchFor = (facts: Omit<OpenRequest, 'attempt'>): DeliveryFetch => {
    let attempt = 0
    return async (_, init) => {
      const request: OpenRequest = { ...facts, attempt: ++attempt }
      if (attempt === LAST_ATTEMPT) await reachable()
      if (currentUrl === undefined) throw new Error('connection refused')
      const response = fetch(currentUrl, init)
      requests.set(request, response)
      try {
        const answer = await response
        if (answer.ok) acknowledged.add(keyOf(facts))
        return answer
      } finally {
        requests.delete(request)
      }
    }
  }
  const deliver = async (reference: string, planned: PlannedDelivery): Promise<void> => {
    const { txHash, payload, isForged, isAltered } = planned
    const isGenuine = !isForged && !isAltered
    const gateway = createGatewayStandIn({
      url: 'http://shop.example/webhooks/ton',
      secret: isForged ? 'whsec_of_somebody_else' : secret,
      clock,
      fetch: fetchFor({ reference, txHash, isGenuine }),
    })
    begun++
    const { isDelivered, attempts } = await gateway.deliver(payload, { corrupt: isAltered })
    const statuses = attempts.map(({ status }) => status)
    outcomes.push({ reference, txHash, isGenuine, isDelivered, statuses })
  }

  return {
    begin({ reference, deliveries }) {
      for (const planned of deliveries) void deliver(reference, planned)
    },
    route(url) {
      currentUrl = url
      if (url === undefined) return
      for (const resolve of waiting) resolve()
      waiting = []
    },
    open: () => [...requests.keys()],
    async settled() {
      while (requests.size > 0) await Promise.allSettled(requests.values())
    },
    outcomes: () => outcomes,
    isOver: () => outcomes.length === begun,
    isAcknowledged: (transfer) => acknowledged.has(keyOf(transfer)),
    acknowledgedNow() {
      const known = new Set(acknowledged)
      return (transfer) => known.has(keyOf(transfer))
    },
  }
}

/** Whether an attempt is its delivery's last one. */
export function isLastAttempt({ attempt }: OpenRequest): boolean {
  return attempt === LAST_ATTEMPT
}

function keyOf({ reference, txHash }: Pick<OpenRequest, 'reference' | 'txHash'>): string {
  return `${reference}/${txHash}`
}

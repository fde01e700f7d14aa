import { createMockGateway, type DeliveryFetch, type FakeClock } from '@tonplug/testing'
import type { PlannedDelivery, Purchase } from './purchases.js'

const LAST_ATTEMPT = 4

/** A request without a response. */
export interface OpenRequest {
  reference: string
  txHash: string
  attempt: number
  isGenuine: boolean
}

/** The outcome of a delivery. */
interface DeliveryOutcome {
  reference: string
  txHash: string
  isGenuine: boolean
  isDelivered: boolean
  /** The status of each attempt; `undefined` when the connection failed. */
  statuses: (number | undefined)[]
}

type IsAcknowledged = (transfer: Pick<OpenRequest, 'reference' | 'txHash'>) => boolean

/** Deliveries of the gateway, with their retries and responses. */
export interface Traffic {
  begin(purchase: Purchase): void
  /** Sets the URL of later requests; `undefined` without a server. */
  route(url: string | undefined): void
  open(): OpenRequest[]
  /** Resolves when every request has its response, or has failed. */
  settled(): Promise<void>
  /** Returns finished deliveries. */
  outcomes(): readonly DeliveryOutcome[]
  /** Returns true when every delivery is finished. */
  isOver(): boolean
  /** Returns true when a delivery of this transfer was acknowledged. */
  isAcknowledged: IsAcknowledged
  /** Returns `isAcknowledged` of this moment. */
  acknowledgedNow(): IsAcknowledged
}

/**
 * Creates deliveries with the gateway's retries. The last attempt of each waits for a server: the inbox cannot save a
 * delivery whose attempts all fail.
 */
export function createTraffic(clock: FakeClock, secret: string): Traffic {
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
    const gateway = createMockGateway({
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

/** Returns true for the last attempt of a delivery. */
export function isLastAttempt({ attempt }: OpenRequest): boolean {
  return attempt === LAST_ATTEMPT
}

function keyOf({ reference, txHash }: Pick<OpenRequest, 'reference' | 'txHash'>): string {
  return `${reference}/${txHash}`
}

import type { Order } from '../orders/order.js'
import type { PaymentProof } from '../proof/payment-proof.js'
import { PROOF_TASK } from './proof-task.js'
import { proveDelivery } from './prove-delivery.js'
import type { SettleOptions } from './settle.js'
import type { Lane } from './worker.js'

/** More would only wait for the rate limit together. */
const PLACES = 4
/** Longer than the two requests of one look may take. */
const TIMEOUT_MS = 150_000
/** Of what no look is counted for, such as a database that is away. */
const RETRY = { maxAttempts: Infinity, minDelayMs: 1000, maxDelayMs: 300_000 }

interface ProofLaneOptions extends Pick<Lane, 'name' | 'inbox' | 'logger' | 'instrumentation'> {
  proof: PaymentProof | undefined
}

/** The lane that proves payments on the chain; none where nothing is to be proven. @param stopped ends what runs */
export function createProofLane<O extends Order>(
  { name, inbox, proof, logger, instrumentation }: ProofLaneOptions,
  settle: SettleOptions<O>,
  stopped: AbortSignal,
): Lane[] {
  const claimPayment = inbox.claimPayment?.bind(inbox)
  if (proof === undefined || claimPayment === undefined) return []
  const options = { ...settle, proof, claimPayment, logger }
  return [
    {
      name,
      inbox,
      instrumentation,
      clock: settle.clock,
      logger,
      handlers: () => [PROOF_TASK],
      places: PLACES,
      handlerRetry: RETRY,
      handlerTimeoutMs: TIMEOUT_MS,
      runTask: async (task, signal) => {
        try {
          return await proveDelivery(options, task, AbortSignal.any([signal, stopped]))
        } catch (error) {
          if (!stopped.aborted) throw error
          const retryAtMs = settle.clock.nowMs()
          return { kind: 'retry', retryAtMs, error: 'the process was stopped while it looked' }
        }
      },
    },
  ]
}

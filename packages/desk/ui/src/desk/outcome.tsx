import type { RefundToSign } from '../../../src/api.js'
import { RefundPanel } from './refund-panel.js'

/** The outcome of an action. */
export interface OutcomeText {
  isSuccess: boolean
  text: string
  /** The operator. */
  by: string
  refund?: RefundToSign | undefined
}

/** Shows and announces the outcome of the last action. */
export function Outcome({ outcome }: { outcome: OutcomeText | undefined }) {
  return (
    <div aria-live="polite">
      {outcome && (
        <div class="notice stacked" data-tone={outcome.isSuccess ? 'good' : 'bad'}>
          <p>
            {outcome.text} <span class="by">({outcome.by})</span>
          </p>
          {outcome.refund && <RefundPanel refund={outcome.refund} />}
        </div>
      )}
    </div>
  )
}

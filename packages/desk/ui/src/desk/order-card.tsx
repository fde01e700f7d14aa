import type { StoryOrder } from '../../../src/api.js'
import { AmountPair } from '../components/amount-pair.js'
import { Badge } from '../components/badge.js'
import { CopyableCode } from '../components/copyable-code.js'
import { Facts } from '../components/facts.js'
import { factsOf } from '../components/field-value.js'
import { Timestamp } from '../components/timestamp.js'
import { formatAmount } from '../text/amount.js'
import type { Tone } from '../text/decisions.js'

const TONES: Readonly<Record<string, Tone>> = { completed: 'good', pending: 'wait', failed: 'bad' }

/** An order with all its fields. */
export function OrderCard({ order }: { order: StoryOrder }) {
  const { reference, merchant, status, expectedAmount, receivedAmount, details, ...asset } = order
  const { createdAtMs, expiresAtMs } = order
  return (
    <section class="card" aria-labelledby="order-title">
      <div class="title-row">
        <h3 id="order-title">Order</h3>
        <Badge tone={TONES[status] ?? 'plain'}>{status}</Badge>
        <AmountPair
          requested={formatAmount({ ...asset, amount: expectedAmount })}
          received={receivedAmount && formatAmount({ ...asset, amount: receivedAmount })}
        />
      </div>
      <Facts
        facts={[
          ['Reference', <CopyableCode name="the reference" value={reference} />],
          ['Merchant', merchant],
          ['Created', createdAtMs > 0 && <Timestamp atMs={createdAtMs} />],
          ['Expires', expiresAtMs !== undefined && <Timestamp atMs={expiresAtMs} />],
          ...factsOf(details),
        ]}
      />
    </section>
  )
}

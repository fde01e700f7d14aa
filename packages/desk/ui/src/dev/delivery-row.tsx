import { useState } from 'preact/hooks'
import { AmountPair } from '../components/amount-pair.js'
import { Badge } from '../components/badge.js'
import { Disclosure } from '../components/disclosure.js'
import { Timestamp } from '../components/timestamp.js'
import { decisionName, describeDecision, type Tone } from '../text/decisions.js'
import { shorten } from '../text/hash.js'
import { DeliveryDetails } from './delivery-details.js'
import { titleOf } from './delivery-title.js'
import { type AttemptSummary, receivedBy, type ShopDecision } from './state.js'

/** A request to the shop with the decision of the shop, and when it is open, both bodies. */
export function DeliveryRow({
  attempt,
  requested,
}: {
  attempt: AttemptSummary
  requested: string | undefined
}) {
  const [isOpen, setOpen] = useState(false)
  const { status, decision, reference, atMs, durationMs } = attempt
  const rule = decision === null ? refusalText(status) : ruleText(decision)
  const head = (
    <>
      {decision !== null && (
        <Badge tone={describeDecision(decision.kind).tone}>{decisionName(decision.kind)}</Badge>
      )}
      <Badge tone={statusTone(attempt)}>{status ?? 'no response'}</Badge>
      <span class="title">{titleOf(attempt)}</span>
      <AmountPair requested={requested} received={receivedBy(attempt)} />
      {rule !== '' && <span class="rule">{rule}</span>}
      <span class="meta">
        <code class="short" title={reference ?? undefined}>
          {reference === null ? 'no reference' : shorten(reference)}
        </code>
        <span>
          <Timestamp atMs={atMs} />
          {`, ${durationMs} ms`}
        </span>
      </span>
    </>
  )
  return (
    <li class="row">
      <Disclosure head={head} isOpen={isOpen} onToggle={() => setOpen(!isOpen)}>
        <DeliveryDetails attempt={attempt} />
      </Disclosure>
    </li>
  )
}

/** An accepted delivery is good only if the decision is. */
function statusTone({ status, decision }: AttemptSummary): Tone {
  const isAccepted = status !== null && status >= 200 && status < 300
  if (!isAccepted) return 'bad'
  return decision === null ? 'good' : 'plain'
}

/** Returns the rule that decided, with the values that it compared if they differ. */
function ruleText({ kind, expected, received, reason }: ShopDecision): string {
  const { rule } = describeDecision(kind)
  if (reason !== null) return `${rule} ${reason}`
  if (expected === null || received === null || expected === received) return rule
  return `${rule} Expected ${expected}, received ${received}.`
}

function refusalText(status: number | null): string {
  if (status === 401) return 'The shop rejected the signature or the age of this request.'
  if (status === 400) return 'The signature is valid, but the shop cannot read this webhook.'
  if (status === 503) return 'The shop is not ready; the gateway retries.'
  return ''
}

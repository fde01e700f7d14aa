import { useEffect, useRef, useState } from 'preact/hooks'
import { type Filter, matchesTransfer } from './filter.js'
import type { AttemptSummary, GatewayState } from './state.js'
import { TransferRow } from './transfer-row.js'

/** The transfers, newest first. @param created the reference of a transfer to open */
export function TransferList({
  state,
  filter,
  created,
}: {
  state: GatewayState
  filter: Filter
  created: string | undefined
}) {
  const { transfers, hiddenTransfers, attempts, runningActions } = state
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const newest = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (created !== undefined) setOpen((known) => new Set([...known, created]))
  }, [created])
  const isListed = transfers.some(({ reference }) => reference === created)
  useEffect(() => newest.current?.focus(), [created, isListed])
  const toggle = (reference: string): void => {
    const others = new Set(open)
    if (!others.delete(reference)) others.add(reference)
    setOpen(others)
  }
  const shown = transfers.filter((transfer) => matchesTransfer(transfer, attempts, filter))
  const busy = new Set(runningActions.map(({ reference }) => reference))
  return (
    <section class="card" aria-labelledby="transfers">
      <h2 id="transfers" tabIndex={-1}>
        Transfers
      </h2>
      {transfers.length === 0 && (
        <p class="empty">None yet. Create one here, or let your shop create one.</p>
      )}
      {transfers.length > 0 && shown.length === 0 && <p class="empty">No transfer matches.</p>}
      <ul id="transfer-list" class="plain">
        {shown.map((transfer) => (
          <TransferRow
            key={transfer.reference}
            transfer={transfer}
            decision={decisionOf(transfer.reference, attempts)}
            isNetwork={state.isNetwork}
            isBusy={busy.has(transfer.reference)}
            isOpen={open.has(transfer.reference)}
            onToggle={() => toggle(transfer.reference)}
            {...(transfer.reference === created && { headRef: newest })}
          />
        ))}
      </ul>
      {hiddenTransfers > 0 && <p class="hint">{hiddenTransfers} older ones are not shown.</p>}
    </section>
  )
}

/** Returns `paid` once the shop has accepted a payment; before that its newest decision. */
function decisionOf(reference: string, attempts: readonly AttemptSummary[]): string | undefined {
  const kinds = attempts
    .filter((attempt) => attempt.reference === reference)
    .flatMap(({ decision }) => (decision === null ? [] : [decision.kind]))
  return kinds.find((kind) => kind === 'paid') ?? kinds[0]
}

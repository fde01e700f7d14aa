import { useRef } from 'preact/hooks'
import { decisionName } from '../text/decisions.js'
import type { AttemptSummary } from './state.js'
import { titleOf } from './delivery-title.js'

/** Announces deliveries to screen readers, except those before the page was opened. */
export function Announcement({ attempts: [newest] }: { attempts: readonly AttemptSummary[] }) {
  const first = useRef(newest?.id)
  const isNew = newest !== undefined && newest.id !== first.current
  return (
    <p id="announcement" class="for-readers" role="status">
      {isNew && `${titleOf(newest)}: ${resultOf(newest)}`}
    </p>
  )
}

function resultOf({ status, decision, error }: AttemptSummary): string {
  if (status === null) return `no response, ${error}`
  return decision === null ? `status ${status}` : `${decisionName(decision.kind)}, status ${status}`
}

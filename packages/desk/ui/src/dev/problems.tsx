import { useState } from 'preact/hooks'
import type { GatewayState } from './state.js'

/** The errors of actions until the user dismisses them. */
export function Problems({ problems }: Pick<GatewayState, 'problems'>) {
  const [dismissed, setDismissed] = useState<readonly number[]>([])
  const shown = problems.filter(({ id }) => !dismissed.includes(id))
  return (
    <ul class="plain" aria-label="Problems">
      {shown.map(({ id, text }) => (
        <li class="notice" key={id}>
          <span role="alert">{text}</span>
          <button type="button" class="small" onClick={() => setDismissed([...dismissed, id])}>
            Dismiss
          </button>
        </li>
      ))}
    </ul>
  )
}

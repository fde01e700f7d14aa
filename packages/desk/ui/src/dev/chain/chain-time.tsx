import { useId } from 'preact/hooks'
import { Facts } from '../../components/facts.js'
import { Timestamp } from '../../components/timestamp.js'
import type { ChainState } from '../state.js'
import { useRequest } from './use-request.js'

const STEPS = [
  [60, '1 minute'],
  [900, '15 minutes'],
  [3600, '1 hour'],
  [86_400, '1 day'],
] as const

/** The newest block, and a button that moves the time on. */
export function ChainTime({ state: { block, aheadMs } }: { state: ChainState }) {
  const { problem, isBusy, send } = useRequest()
  const minutes = Math.round(aheadMs / 60_000)
  const titleId = useId()
  return (
    <section class="card later" aria-labelledby={titleId}>
      <h2 id={titleId}>Time</h2>
      <Facts
        facts={[
          ['Block', <span class="number">{block.seqno}</span>],
          ['Chain time', <Timestamp atMs={block.atMs} />],
          ['Ahead', minutes > 0 && `${minutes} min`],
        ]}
      />
      <form
        class="link-form"
        onSubmit={(event) => {
          event.preventDefault()
          const seconds = Number(new FormData(event.currentTarget).get('seconds'))
          void send('api/time', { seconds })
        }}
      >
        <label class="grow">
          Step
          <select name="seconds">
            {STEPS.map(([seconds, name]) => (
              <option key={seconds} value={seconds}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <button type="submit" disabled={isBusy}>
          Move time on
        </button>
      </form>
      <p class="problem" role="alert" hidden={problem === ''}>
        {problem}
      </p>
      {minutes > 0 && (
        <p class="hint">
          The clock of your shop has not moved: to it, payments come from the future. Start tonplug
          dev again to reset the time.
        </p>
      )}
    </section>
  )
}

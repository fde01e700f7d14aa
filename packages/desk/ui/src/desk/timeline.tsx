import type { TimelineEvent } from '../../../src/api.js'
import { Timestamp } from '../components/timestamp.js'

/** What happened, oldest first. */
export function Timeline({ events }: { events: readonly TimelineEvent[] }) {
  if (events.length === 0) return null
  return (
    <section class="card" aria-labelledby="timeline-title">
      <h3 id="timeline-title">What happened</h3>
      <ol class="plain timeline">
        {events.map(({ atMs, text, by, reason }) => (
          <li key={`${atMs} ${text}`}>
            <Timestamp atMs={atMs} />
            <span>
              {text}
              {by !== undefined && ` By ${by}.`}
              {reason !== undefined && reason !== '' && ` Reason: ${reason}`}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}

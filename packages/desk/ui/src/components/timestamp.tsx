import { formatTime } from '../text/time.js'

/** A time, with its date unless it is today. */
export function Timestamp({ atMs }: { atMs: number }) {
  const iso = new Date(atMs).toISOString()
  return (
    <time dateTime={iso} title={iso}>
      {formatTime(atMs)}
    </time>
  )
}

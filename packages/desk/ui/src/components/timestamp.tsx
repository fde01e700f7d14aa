import { formatTime } from '../text/time.js'

/** A day and a time, in the zone of the reader. */
export function Timestamp({ atMs }: { atMs: number }) {
  return <time dateTime={new Date(atMs).toISOString()}>{formatTime(atMs)}</time>
}

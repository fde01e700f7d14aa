import { formatClock } from '../text/time.js'

const WIDTH = 320
const HEIGHT = 80

/** A value over time. */
export interface ChartProps {
  name: string
  /** Milliseconds since the Unix epoch, and the value; oldest first. */
  points: readonly (readonly [timeMs: number, value: number])[]
}

/** A small line chart from zero to the highest value. */
export function Chart({ name, points }: ChartProps) {
  const first = points[0]
  const last = points.at(-1)
  const highest = Math.max(0, ...points.map(([, value]) => value))
  if (first === undefined || last === undefined) {
    return (
      <figure class="card chart">
        <figcaption>{name}</figcaption>
        <p class="empty">No value yet.</p>
      </figure>
    )
  }
  const text = `${name}: ${last[1]} now, ${highest} at most since ${formatClock(first[0])}`
  return (
    <figure class="card chart">
      <figcaption>
        {name} <strong class="number">{last[1]}</strong>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={text}>
        <line x1="0" x2={WIDTH} y1={HEIGHT - 1} y2={HEIGHT - 1} />
        <polyline points={linePoints(points, highest)} />
      </svg>
      <p class="scale">
        <span>{formatClock(first[0])}</span>
        <span>at most {highest}</span>
        <span>{formatClock(last[0])}</span>
      </p>
    </figure>
  )
}

/** A single value is a flat line. */
function linePoints(points: ChartProps['points'], highest: number): string {
  const startMs = points[0]?.[0] ?? 0
  const durationMs = (points.at(-1)?.[0] ?? 0) - startMs
  const y = (value: number): number =>
    HEIGHT - 2 - (highest === 0 ? 0 : (value / highest) * (HEIGHT - 6))
  if (durationMs === 0) return `0,${y(points[0]?.[1] ?? 0)} ${WIDTH},${y(points[0]?.[1] ?? 0)}`
  return points
    .map(([timeMs, value]) => {
      const x = ((timeMs - startMs) / durationMs) * WIDTH
      return `${x.toFixed(1)},${y(value).toFixed(1)}`
    })
    .join(' ')
}

import { parse, View } from 'vega'
import { compile } from 'vega-lite'

/** Draws the ratios with their floors as an SVG. Omits rows with a 0, which a logarithmic scale cannot show. */
export async function drawChart(figures, subtitle) {
  const values = figures
    .filter(({ floor }) => floor !== undefined)
    .map(({ id, what, beside, spread, floor }) => ({
      label: `${id}  ${what} / ${beside}`,
      ...spread,
      floor: Number(floor.split(' ')[1]),
      better: floor.startsWith('<=') ? 'lower is better' : 'higher is better',
    }))
    .filter(({ min, floor }) => min > 0 && floor > 0)
  const y = { field: 'label', type: 'nominal', sort: null, title: null, axis: { labelLimit: 900 } }
  const scale = { type: 'log' }
  const x = (field) => ({ field, type: 'quantitative', scale, title: 'ratio, logarithmic' })
  const { spec } = compile({
    data: { values },
    title: { text: 'Measured ratios', subtitle, anchor: 'start' },
    width: 420,
    background: 'white',
    layer: [
      {
        mark: { type: 'rule', strokeWidth: 6, opacity: 0.35 },
        encoding: { y, x: x('min'), x2: { field: 'max' }, color: colour },
      },
      {
        mark: { type: 'point', filled: true, size: 70 },
        encoding: { y, x: x('median'), color: colour },
      },
      { mark: { type: 'tick', thickness: 2, color: '#444' }, encoding: { y, x: x('floor') } },
    ],
  })
  return new View(parse(spec), { renderer: 'none' }).toSVG()
}

const colour = {
  field: 'better',
  type: 'nominal',
  scale: { domain: ['lower is better', 'higher is better'], range: ['#1f77b4', '#2a9d4a'] },
  legend: { title: 'bar: min to max, dot: median, mark: floor', orient: 'bottom', titleLimit: 420 },
}

import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { drawChart } from './chart.mjs'

const read = (name) =>
  readFileSync(new URL(`../../docs/reference/${name}`, import.meta.url), 'utf8')
const { machine, figures } = JSON.parse(read('measurements.json'))

/** Counts the marks of each kind in the chart. */
function countMarks(svg) {
  const kinds = ['rule mark', 'point', 'tick']
  return kinds.map((kind) => svg.split(`aria-roledescription="${kind}"`).length - 1)
}

it('draws a bar, a dot and a mark for each measured ratio that has a floor', async () => {
  const drawn = await drawChart(figures, machine)
  const isDrawn = ({ floor, spread }) => floor !== undefined && floor !== '<= 0' && spread.min > 0
  const { length } = figures.filter(isDrawn)
  expect(length).toBeGreaterThan(20)
  expect(countMarks(drawn)).toEqual([length, length, length])
  expect(drawn).not.toContain('NaN')
})

it('draws the chart of the documentation from its figures', async () => {
  expect(read('measurements.svg')).toBe(await drawChart(figures, machine))
})

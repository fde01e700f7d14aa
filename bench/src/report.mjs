import { markdownTable } from 'markdown-table'

/**
 * Sends the figures of a suite to `pnpm bench`, or prints them if the suite was started directly.
 * @param figures `{ id, what, beside, spread, floor, goal }`: `spread` is `{ median, min, max }` of the ratio; `floor`
 * and `goal` are optional bounds such as `<= 1.2` that the ratio should meet
 */
export function report(figures) {
  if (process.send === undefined) console.log(writeTable(figures))
  else process.send({ figures })
}

export function writeTable(figures) {
  const rows = figures.map(({ id, what, beside, spread, floor, goal }) => [
    id,
    what,
    beside,
    writeSpread(spread),
    floor ?? '',
    goal ?? '',
    floor === undefined ? '' : isMet(spread.median, floor) ? 'yes' : 'no',
  ])
  const head = ['', 'What', 'Beside', 'Ratio (min to max)', 'Floor', 'Goal', 'Floor met']
  return markdownTable([head, ...rows], { align: ['l', 'l', 'l', 'r', 'r', 'r', 'l'] })
}

/** Returns a sentence about the floors; the chart shows each ratio beside its floor. */
export function writeMissed(figures) {
  const bounded = figures.filter(({ floor }) => floor !== undefined)
  const met = bounded.filter(({ spread, floor }) => isMet(spread.median, floor)).length
  return `${met} of ${bounded.length} floors are met, ${bounded.length - met} are not: the chart shows each ratio beside its floor.`
}

function isMet(value, bound) {
  const [operator, limit] = bound.split(' ')
  return operator === '<=' ? value <= Number(limit) : value >= Number(limit)
}

function writeSpread({ median, min, max }) {
  const figures = [median, min, max].map((value) => value.toFixed(2))
  return min === max ? figures[0] : `${figures[0]} (${figures[1]} to ${figures[2]})`
}

/** Converts a counted value to the format of a measured ratio. */
export function counted(value) {
  return { median: value, min: value, max: value }
}

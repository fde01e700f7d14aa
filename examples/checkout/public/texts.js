/** The strings, coins and e-mail address that the server has put into the page. */
export const { texts, coins, isSimulated, contact } = JSON.parse(document.body.dataset.page)

const language = document.documentElement.lang
/** Isolate a value from the direction of the sentence around it. */
const [ISOLATE, END] = ['\u2068', '\u2069']

/** Replaces each `{name}` of a sentence. */
export function fill(sentence, values) {
  return sentence.replaceAll(/\{(\w+)\}/g, (_, name) => ISOLATE + values[name] + END)
}

/** @param amount whole coins, in decimal digits */
export function formatCoins(amount, asset) {
  const { name } = coins.find((coin) => coin.asset === asset) ?? { name: texts.otherCoin }
  return `${formatNumber(amount, { maximumFractionDigits: 20 })} ${name}`
}

/** @param rawAmount base units, in decimal digits. An amount in an unknown coin is not shown: its decimals are unknown. */
export function formatUnits({ rawAmount, asset }) {
  const coin = coins.find((known) => known.asset === asset)
  if (coin === undefined) return texts.otherCoin
  const digits = rawAmount.padStart(coin.decimals + 1, '0')
  return formatCoins(`${digits.slice(0, -coin.decimals)}.${digits.slice(-coin.decimals)}`, asset)
}

/** Returns the price of one coin. */
export function formatRate({ price, currency }, asset) {
  const options = { style: 'currency', currency, maximumFractionDigits: 8 }
  return `${formatCoins('1', asset)} = ${formatNumber(price, options)}`
}

/** Returns minutes and seconds. */
export function formatDuration(seconds) {
  const minutes = Math.floor(seconds / 60)
  const rest = formatNumber(seconds % 60, { minimumIntegerDigits: 2 })
  return `${formatNumber(minutes)}:${rest}`
}

export function formatTime(ms) {
  return new Intl.DateTimeFormat(language, { timeStyle: 'short' }).format(ms)
}

export function formatDate(ms) {
  const options = { dateStyle: 'long', timeStyle: 'long' }
  return new Intl.DateTimeFormat(language, options).format(ms)
}

export function formatList(items) {
  return new Intl.ListFormat(language, { type: 'conjunction' }).format(items)
}

/** Intl reads a decimal string without rounding it. */
function formatNumber(value, options) {
  return new Intl.NumberFormat(language, options).format(value)
}

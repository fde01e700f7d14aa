import { canonicalAsset, NATIVE_ASSET } from '@tonplug/core'
import { quoteName } from './sql/quote.js'

/** A difference between a table and its mapping, and the SQL that removes it. */
export interface Difference {
  problem: string
  sql?: string | undefined
}

/** A column of amounts. */
interface AmountColumnFacts {
  name: string
  /** In the format of PostgreSQL's `format_type`. */
  type: string
}

interface UnitFacts {
  /** Quoted. */
  table: string
  /** The asset of all orders; `undefined` for a column of assets. */
  asset: string | undefined
  /** Base units for each 1 of the column. */
  per: bigint | undefined
}

const USDT = '0:b113a994b5024a16719f69139328eb759596c38a25f59028b146fecdc3621dfe'
const NATIVE_DECIMALS = 9
const USDT_DECIMALS = 6

const INTEGER = /^(?:smallint|integer|bigint)$/
const DECIMAL = /^numeric\(\d+,(\d+)\)$/
/** Ends the name of a column that was added for base units. */
const BASE_UNITS = '_base_units'
/** Not recent, percent and accent. PostgreSQL folds an unquoted `totalCents` to `totalcents`. */
const IN_CENTS =
  /(?:Cents?|cents|(?<![Rr]e|[Pp]er|[Aa]c)cent)(?![a-z])|(?:CENTS|(?<!RE|PER|AC)CENT)(?![A-Z])/
/** Never an identifier. */
const FACTOR = '<FACTOR>'

/** Returns true for a column whose unit `per` states, or whose type or name shows that it is not the base unit. */
export function isInOtherUnit({ name, type }: AmountColumnFacts, per: bigint | undefined): boolean {
  if (per !== undefined) return true
  const isWhole = INTEGER.test(type) || scaleOf(type) !== undefined
  return type === 'money' || (scaleOf(type) ?? 0) > 0 || (isWhole && isInCents(name))
}

/** Compares the unit of a column with the decimals of the asset. The type of a column is never changed. */
export function checkUnit(column: AmountColumnFacts, facts: UnitFacts): Difference[] {
  const { name, type } = column
  const { per, asset } = facts
  const quoted = quoteName(name)
  const scale = INTEGER.test(type) ? 0 : type === 'money' ? 2 : scaleOf(type)
  if (scale === undefined) {
    const problem = `the column ${quoted} of \`rawAmount\` is ${type}; with \`per\` it must be an integer, money, or numeric with a scale. Map another column, of type numeric(78, 0)`
    return [{ problem }]
  }
  const expected = expectedPer({ name, scale }, asset)
  if (per === undefined) return [inOtherUnit(column, facts, expected)]
  if (expected !== undefined && per !== expected) {
    const problem = `the column ${quoted} of \`rawAmount\` is ${type}, and \`per\` is ${per}n; it must be ${expected}n by the decimals of ${asset} and of the column`
    return [{ problem }]
  }
  const least = 10n ** BigInt(scale)
  if (per >= least && (decimalsOf(asset) === undefined || per <= unitsOf(asset))) return []
  const most =
    decimalsOf(asset) === undefined ? '' : ` and at most ${unitsOf(asset)}n, one whole coin`
  const problem = `the column ${quoted} of \`rawAmount\` is ${type}, and \`per\` is ${per}n; it must be at least ${least}n${most}`
  return [{ problem }]
}

/** Returns the base units of 1 in the column; `undefined` where neither its type nor its name shows the unit. */
function expectedPer(
  { name, scale }: { name: string; scale: number },
  asset: string | undefined,
): bigint | undefined {
  const decimals = decimalsOf(asset)
  if (decimals === undefined) return undefined
  if (scale > 0) return unitsOf(asset)
  return isInCents(name) ? 10n ** BigInt(decimals - 2) : undefined
}

/** Proposes the factor, or a column in base units. */
function inOtherUnit(
  column: AmountColumnFacts,
  facts: UnitFacts,
  per: bigint | undefined,
): Difference {
  const { name, type } = column
  const factor = per === undefined ? 'the base units of each 1' : `${per}n`
  const problem = `the column ${quoteName(name)} of \`rawAmount\` is ${type}, which is not in base units of ${facts.asset ?? 'the asset'}. State its unit, \`rawAmount: { column: ${JSON.stringify(name)}, per: ${factor} }\`, or map another column, of type numeric(78, 0)`
  return { problem, sql: baseUnitsColumn(column, facts, per) }
}

/**
 * Returns the SQL that adds a column in base units, which the amounts of a column of numbers fill. A factor that nothing shows
 * is left to the reader: PostgreSQL refuses the statement until it is replaced.
 * @returns `undefined` for a column of another type.
 */
export function baseUnitsColumn(
  { name, type }: AmountColumnFacts,
  { table, asset }: Pick<UnitFacts, 'table' | 'asset'>,
  per?: bigint,
): string | undefined {
  const isNumber = INTEGER.test(type) || type === 'money' || scaleOf(type) !== undefined
  if (!isNumber) return undefined
  const added = quoteName(`${name}${BASE_UNITS}`)
  if (asset === undefined) {
    const advice = '-- Fill it with the base units of each order, by the decimals of its asset.'
    return `${advice}\nALTER TABLE ${table} ADD COLUMN ${added} numeric(78, 0);`
  }
  const amount = `${quoteName(name)}::numeric * ${per ?? FACTOR}`
  const advice = per === undefined ? `${factorAdvice(asset)}\n` : ''
  // A cast of money is not immutable, so that no column is generated by it.
  return type === 'money'
    ? `${advice}ALTER TABLE ${table} ADD COLUMN ${added} numeric(78, 0);\nUPDATE ${table} SET ${added} = ${amount};`
    : `${advice}ALTER TABLE ${table} ADD COLUMN ${added} numeric(78, 0) GENERATED ALWAYS AS (${amount}) STORED;`
}

function factorAdvice(asset: string): string {
  const decimals = decimalsOf(asset)
  const examples =
    decimals === undefined
      ? 'With 6 decimals 10000 for cents, 1000000 for whole coins.'
      : `${10n ** BigInt(decimals - 2)} for cents, ${unitsOf(asset)} for whole coins.`
  return `-- Replace ${FACTOR} by the base units of each 1 of the column: ${examples}`
}

function isInCents(name: string): boolean {
  return IN_CENTS.test(name) && !name.endsWith(BASE_UNITS)
}

function scaleOf(type: string): number | undefined {
  const [, scale] = DECIMAL.exec(type) ?? []
  return scale === undefined ? undefined : Number(scale)
}

/** Returns the decimals of an asset, where they are known without the chain. */
function decimalsOf(asset: string | undefined): number | undefined {
  if (asset === undefined) return undefined
  const canonical = canonicalAsset(asset)
  if (canonical === NATIVE_ASSET) return NATIVE_DECIMALS
  return canonical === USDT ? USDT_DECIMALS : undefined
}

function unitsOf(asset: string | undefined): bigint {
  return 10n ** BigInt(decimalsOf(asset) ?? 0)
}

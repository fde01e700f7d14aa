import { userInfo } from 'node:os'
import { InvalidArgumentError, Option } from 'commander'

const MAX_LIMIT = 100_000

/** Options of several commands. */
export const databaseOption = (): Option =>
  new Option(
    '-d, --database <location>',
    'postgres:// URL without a password, or the folder of a PGlite; default: DATABASE_URL',
  )

export const jsonOption = (): Option =>
  new Option('--json', 'print one JSON document and nothing else')

export const jsonLinesOption = (): Option =>
  new Option('--json', 'print one JSON document on each line')

export const sinceOption = (): Option =>
  new Option('--since <when>', 'received since: an age (30m, 2h, 7d) or an ISO 8601 date')

export const referenceOption = (): Option =>
  new Option('--reference <reference>', "of this order's reference")

export const nameOption = (): Option =>
  new Option('--name <name>', 'of the Payments with this name')

export const merchantOption = (): Option => new Option('--merchant <merchant>', 'of this merchant')

export const byOption = (): Option =>
  new Option('--by <operator>', 'who does it, for the record').default(
    userInfo().username,
    'your user name',
  )

export const reasonOption = (): Option => new Option('--reason <text>', 'why, for the record')

export const limitOption = (): Option =>
  new Option('--limit <count>', 'maximum number of results').default(50).argParser((text) => {
    const limit = /^\d+$/.test(text) ? Number(text) : 0
    if (limit >= 1 && limit <= MAX_LIMIT) return limit
    throw new InvalidArgumentError(`Give a number from 1 to ${MAX_LIMIT}.`)
  })

/** Parses a whole number within bounds, as a string, because it may be too large for a number. */
export function parseCount(text: string, least: number, most = 2 ** 120): string {
  if (/^\d{1,40}$/.test(text) && Number(text) >= least && Number(text) <= most) return text
  throw new InvalidArgumentError(
    `Give a whole number from ${least}${most === 2 ** 120 ? ' on' : ` to ${most}`}.`,
  )
}

import { InvalidArgumentError, Option } from 'commander'

const MAX_LIMIT = 100_000

/** Options that several commands have. */
export const databaseOption = (): Option =>
  new Option(
    '-d, --database <location>',
    'postgres:// address without a password, or the folder of a PGlite; otherwise DATABASE_URL',
  )

export const jsonOption = (): Option =>
  new Option('--json', 'print one JSON document and nothing else')

export const sinceOption = (): Option =>
  new Option('--since <when>', 'received since: an age (30m, 2h, 7d) or an ISO 8601 date')

export const referenceOption = (): Option =>
  new Option('--reference <reference>', "of this order's reference")

export const limitOption = (): Option =>
  new Option('--limit <count>', 'at most so many').default(50).argParser((text) => {
    const limit = /^\d+$/.test(text) ? Number(text) : 0
    if (limit >= 1 && limit <= MAX_LIMIT) return limit
    throw new InvalidArgumentError(`Give a number from 1 to ${MAX_LIMIT}.`)
  })

import { Dictionary } from '@ton/core'
import { parseAddress } from '../address/address.js'
import { ContractDataError } from '../errors/contract.js'

/** A field that a transaction cannot do without. @throws {ContractDataError} when it is absent. */
export function required<Value>(value: Value, path: string): NonNullable<Value> {
  if (value !== undefined && value !== null) return value
  const problem =
    'it is missing; a pending transaction and one that is not indexed fully cannot be read'
  throw new ContractDataError({ subject: 'transaction', path, problem })
}

/** What a word of the API is in `@ton/core`. @throws {ContractDataError} for a word that is not known there. */
export function translate<Word>(
  words: Readonly<Record<string, Word>>,
  word: string | undefined,
  path: string,
): Word {
  const known = required(word, path)
  if (Object.hasOwn(words, known)) return words[known] as Word
  throw new ContractDataError({
    subject: 'transaction',
    path,
    problem: `@ton/core has no ${known}`,
  })
}

/** 256 bits of base64, as `@ton/core` counts with them. */
export function hashToBigint(base64: string): bigint {
  return BigInt(`0x${Buffer.from(base64, 'base64').toString('hex')}`)
}

/** The hash of an account. */
export function accountToBigint(address: string): bigint {
  return BigInt(`0x${parseAddress(address).hash}`)
}

/** Amounts of other currencies by their ids; none where there are none. */
export function toCurrencies(
  amounts: Readonly<Record<string, bigint>> | undefined,
): Dictionary<number, bigint> | undefined {
  const rows = Object.entries(amounts ?? {})
  if (rows.length === 0) return undefined
  const dictionary = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.BigVarUint(5))
  for (const [id, amount] of rows) dictionary.set(Number(id), amount)
  return dictionary
}

import { Cell, Dictionary } from '@ton/core'
import { ContractDataError, type ContractDataErrorDetails } from './contract-error.js'

/** Parses a BoC and returns its root. @throws {ContractDataError} when it is invalid or has several roots. */
export function readCell(boc: string, place: ContractDataErrorDetails): Cell {
  try {
    return Cell.fromBase64(boc)
  } catch (cause) {
    throw new ContractDataError({ ...place, problem: 'expected a BoC with one root', cause })
  }
}

/** Returns a required field of a transaction. @throws {ContractDataError} when it is absent. */
export function required<Value>(value: Value, path: string): NonNullable<Value> {
  if (value !== undefined && value !== null) return value
  const problem =
    'the field is missing; pending and partially indexed transactions cannot be converted'
  throw new ContractDataError({ subject: 'transaction', path, problem })
}

/** Returns a function that returns required fields of a part of a transaction, and throws like {@link required}. */
export function fieldsOf<Part extends object>(part: Part, path: string) {
  return <Name extends keyof Part & string>(name: Name): NonNullable<Part[Name]> =>
    required(part[name], `${path}.${name}`)
}

/** Translates an enum value of the API to that of `@ton/core`. @throws {ContractDataError} for an unknown value. */
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
    problem: `@ton/core has no equivalent of ${known}`,
  })
}

export function hashToBigint(base64: string): bigint {
  return BigInt(`0x${Buffer.from(base64, 'base64').toString('hex')}`)
}

/** Returns the extra currencies by id; `undefined` without any. */
export function toCurrencies(
  amounts: Readonly<Record<string, bigint>> | undefined,
): Dictionary<number, bigint> | undefined {
  const rows = Object.entries(amounts ?? {})
  if (rows.length === 0) return undefined
  const dictionary = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.BigVarUint(5))
  for (const [id, amount] of rows) dictionary.set(Number(id), amount)
  return dictionary
}

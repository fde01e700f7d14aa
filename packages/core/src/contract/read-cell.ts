import { Cell } from '@ton/core'
import { ContractDataError } from './contract-error.js'

/** The location of a BoC in a response. */
interface Location {
  subject: string
  path: string
}

/** Parses a BoC and returns its root. @throws {ContractDataError} when it is invalid or has several roots. */
export function readCell(boc: string, { subject, path }: Location): Cell {
  try {
    return Cell.fromBase64(boc)
  } catch (cause) {
    throw new ContractDataError({ subject, path, problem: 'expected a BoC with one root', cause })
  }
}

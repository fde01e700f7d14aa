import { Cell } from '@ton/core'
import { ContractDataError } from '../errors/contract.js'

/** Where a bag of cells stands in an answer. */
interface Place {
  subject: string
  path: string
}

/** The root of a bag of cells. @throws {ContractDataError} when it is none, or has several roots. */
export function readCell(boc: string, { subject, path }: Place): Cell {
  try {
    return Cell.fromBase64(boc)
  } catch (cause) {
    throw new ContractDataError({ subject, path, problem: 'expected a bag of cells', cause })
  }
}

import type { TupleItem } from '@ton/core'
import { Refusal } from '../refusal.js'
import { accountAt } from './accounts.js'
import { headOf, invalid, notSimulated, type Answer, type Question } from './question.js'
import { readStack, UnsupportedEntryError, writeStack, writeTyped } from './stack.js'
import { writeBlockId, writeTransactionId } from './write.js'

/** The methods that run get-methods. */
export const runMethods = {
  async runGetMethod(question) {
    const { account, exitCode, gasUsed, stack } = await run(question)
    return {
      '@type': 'smc.runResult',
      gas_used: gasUsed,
      exit_code: exitCode,
      stack: writeStack(stack),
      block_id: writeBlockId(-1, headOf(question.chain).seqno),
      last_transaction_id: writeTransactionId(account.last.lt, account.last.hash),
    }
  },
  async runGetMethodStd(question) {
    const { exitCode, gasUsed, stack } = await run(question)
    return {
      '@type': 'smc.runResult',
      gas_used: gasUsed,
      exit_code: exitCode,
      stack: stack.map(writeTyped),
    }
  },
} satisfies Record<string, Answer>

async function run(question: Question) {
  const { chain, params } = question
  const { address, account, isNewest } = await accountAt(question)
  if (!isNewest) throw notSimulated('older states to run get-methods on')
  const { method, stack = [] } = params
  if (typeof method !== 'string' && typeof method !== 'number') throw invalid('method is required')
  if (!Array.isArray(stack)) throw invalid('stack must be a list')
  const name = /^-?\d+$/.test(String(method)) ? Number(method) : String(method)
  return { account, ...(await chain.runGetMethod(address, name, readArguments(stack))) }
}

/** @throws {Refusal} for an argument that is not what its type says */
function readArguments(stack: unknown): TupleItem[] {
  try {
    return readStack(stack)
  } catch (error) {
    if (error instanceof UnsupportedEntryError) throw error
    throw new Refusal(400, `failed to parse stack: ${String(error)}`)
  }
}

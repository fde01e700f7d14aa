import type { TupleItem } from '@ton/core'
import { HttpError } from '../server/http-error.js'
import { accountAt } from './accounts.js'
import { headOf, invalid, notSimulated, type Method, type MethodCall } from './method-call.js'
import { readStack, UnsupportedEntryError, writeStack, writeTyped } from './stack.js'
import { writeBlockId, writeTransactionId } from './write.js'

/** The methods that run get-methods. */
export const runMethods = {
  async runGetMethod(call) {
    const { account, exitCode, gasUsed, stack } = await run(call)
    return {
      '@type': 'smc.runResult',
      gas_used: gasUsed,
      exit_code: exitCode,
      stack: writeStack(stack),
      block_id: writeBlockId(-1, headOf(call.chain).seqno),
      last_transaction_id: writeTransactionId(account.last.lt, account.last.hash),
    }
  },
  async runGetMethodStd(call) {
    const { exitCode, gasUsed, stack } = await run(call)
    return {
      '@type': 'smc.runResult',
      gas_used: gasUsed,
      exit_code: exitCode,
      stack: stack.map(writeTyped),
    }
  },
} satisfies Record<string, Method>

async function run(call: MethodCall) {
  const { chain, params } = call
  const { address, account, isNewest } = await accountAt(call)
  if (!isNewest) throw notSimulated('get-methods on older states')
  const { method, stack = [] } = params
  if (typeof method !== 'string' && typeof method !== 'number') throw invalid('method is required')
  if (!Array.isArray(stack)) throw invalid('stack must be a list')
  const name = /^-?\d+$/.test(String(method)) ? Number(method) : String(method)
  return { account, ...(await chain.runGetMethod(address, name, readArguments(stack))) }
}

/** Reads the arguments. @throws {HttpError} when a value does not match its type */
function readArguments(stack: unknown): TupleItem[] {
  try {
    return readStack(stack)
  } catch (error) {
    if (error instanceof UnsupportedEntryError) throw error
    throw new HttpError(400, `failed to parse stack: ${String(error)}`)
  }
}

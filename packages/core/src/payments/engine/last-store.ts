import type { CheckedInbox } from '../inbox/checked-inbox.js'
import type { JoinedOrders } from '../inbox/inbox.js'
import type { Order } from '../orders/order.js'
import { isObject } from '../../shared/is-object.js'

/** Longer chains of causes are read in part. */
const MAX_CAUSES = 10
/** SQLSTATEs and codes of Node.js. Nothing else of an error is shown: a message may contain a row or an address. */
const CODE = /^(?:[0-9A-Z]{5}|E(?!RR_)[A-Z]{2,20})$/

/** Remembers whether this process could store its last report. */
export interface LastStore {
  /** Returns why the last report was not stored; `undefined` after one was. */
  problem: () => string | undefined
}

/** Wraps the stores of reports, so that the outcome of the last call is known. */
export function watchStores<O extends Order, Given extends Stores<O>>(
  options: Given,
): Given & { lastStore: LastStore } {
  let problem: string | undefined
  const succeed = <Result>(result: Result): Result => {
    problem = undefined
    return result
  }
  const { inbox, joined } = options
  const storeAndFind = joined?.storeAndFind?.bind(joined)
  return {
    ...options,
    inbox: {
      ...inbox,
      reports: {
        ...inbox.reports,
        store: async (report) => {
          try {
            return succeed(await inbox.reports.store(report))
          } catch (error) {
            problem = describe(error)
            throw error
          }
        },
      },
    },
    // After a failure the report is stored without its order.
    ...(joined !== undefined &&
      storeAndFind !== undefined && {
        joined: { ...joined, storeAndFind: async (report) => succeed(await storeAndFind(report)) },
      }),
    lastStore: { problem: () => problem },
  }
}

interface Stores<O extends Order> {
  inbox: CheckedInbox
  joined: JoinedOrders<O> | undefined
}

function describe(error: unknown): string {
  const code = codeOf(error)
  const reason = code === undefined ? '' : ` (code ${code}${MEANING[code] ?? ''})`
  return `the last report of this process could not be stored${reason}`
}

const MEANING: Readonly<Record<string, string>> = {
  '25006': ', read-only database',
  '42501': ', missing privilege',
  '53100': ', disk full',
  '53300': ', too many connections',
  '57014': ', statement timeout',
}

/** Returns the code of the first cause with one, below the error of the store. */
function codeOf(error: unknown): string | undefined {
  let cause = error
  for (let depth = 0; depth < MAX_CAUSES && isObject(cause); depth++) {
    const { code } = cause
    if (typeof code === 'string' && CODE.test(code)) return code
    cause = cause['cause']
  }
  return undefined
}

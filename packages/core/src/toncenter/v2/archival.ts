import { isApiError } from '../errors/api.js'
import { createParam } from '../schema/param.js'
import type { WireParams } from '../schema/params-object.js'

/**
 * Selects the nodes for history. `true`: archival nodes only. `false`: other nodes only. `'auto'`: any node first, and
 * archival nodes if it does not go back far enough. By default the server decides: the C++ server behaves like `'auto'`,
 * the Python one uses any node and fails. Source: API facts, part 1.5.
 */
export const archivalParam = createParam<boolean | 'auto', boolean | 'auto'>(
  "true, false or 'auto'",
  (value) => (typeof value === 'boolean' || value === 'auto' ? value : undefined),
)

/** The requests of a call that may be about history. */
export interface HistoryCall<Result> {
  send: (params: WireParams) => Promise<Result>
  /** Returns the result if the account has no transactions; `undefined` otherwise, or if the call is not about one. */
  resultIfUnused: () => Promise<Result | undefined>
}

/**
 * Sends a call; with `archival: 'auto'`, again to archival nodes if other nodes do not go back far enough. Some servers
 * respond to an unused account as to missing history.
 */
export async function sendArchival<Result>(
  params: WireParams,
  { send, resultIfUnused }: HistoryCall<Result>,
): Promise<Result> {
  const { archival, ...rest } = params
  const isAuto = archival === 'auto'
  try {
    return await send(isAuto ? rest : params)
  } catch (error) {
    if (!isApiError(error, 'ERR_TONPLUG_HISTORY_NOT_AVAILABLE')) throw error
    const unused = await resultIfUnused()
    if (unused !== undefined) return unused
    if (!isAuto) throw error
    return await send({ ...rest, archival: true })
  }
}

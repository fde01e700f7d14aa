import { HistoryNotAvailableError } from '../errors/api.js'
import { paramWord } from '../schema/param.js'
import type { WireParams } from '../schema/check-params.js'

/**
 * Which nodes to ask for history. `true`: only those that keep all of it. `false`: only those that do not. `'auto'`:
 * any node first, and those that keep all when it does not go back far enough. Left out, the server decides: the C++
 * one does as for `'auto'`, the Python one asks any node and gives up. Source: API facts, part 1.5.
 */
export const archivalParam = paramWord<boolean | 'auto', boolean | 'auto'>(
  "true, false or 'auto'",
  (value) => (typeof value === 'boolean' || value === 'auto' ? value : undefined),
)

/** How a request that may be about history is sent. */
export interface HistoryCall<Result> {
  send: (params: WireParams) => Promise<Result>
  /** What to answer when the account has no transaction; `undefined` when it has, or when it is not about one. */
  answerUnused: () => Promise<Result | undefined>
}

/**
 * Sends `params`; with `archival: 'auto'`, once more to the archival nodes when the others do not go back far enough. An
 * account that was never used is answered like missing history by some servers.
 */
export async function sendArchival<Result>(
  params: WireParams,
  { send, answerUnused }: HistoryCall<Result>,
): Promise<Result> {
  const { archival, ...rest } = params
  const isAuto = archival === 'auto'
  try {
    return await send(isAuto ? rest : params)
  } catch (error) {
    if (!(error instanceof HistoryNotAvailableError)) throw error
    const unused = await answerUnused()
    if (unused !== undefined) return unused
    if (!isAuto) throw error
    return await send({ ...rest, archival: true })
  }
}

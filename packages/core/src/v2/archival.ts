import { HistoryNotAvailableError } from '../errors/api.js'
import { word } from '../schema/word.js'
import type { WireParams } from '../schema/check-params.js'

/**
 * Which nodes to ask for history. `true`: only those that keep all of it. `false`: only those that do not. `'auto'`:
 * any node first, and those that keep all when it does not go back far enough. Left out, the server decides: the C++
 * one does as for `'auto'`, the Python one asks any node and gives up. Source: API facts, part 1.5.
 */
export const archivalParam = word<boolean | 'auto', boolean | 'auto'>(
  "true, false or 'auto'",
  (value) => (typeof value === 'boolean' || value === 'auto' ? value : undefined),
)

/**
 * Sends `params`; with `archival: 'auto'`, once more to the archival nodes when the others do not go back far enough. The
 * second request has a deadline of its own.
 */
export async function sendArchival<Result>(
  params: WireParams,
  send: (params: WireParams) => Promise<Result>,
): Promise<Result> {
  if (params['archival'] !== 'auto') return await send(params)
  const { archival: _auto, ...rest } = params
  try {
    return await send(rest)
  } catch (error) {
    if (!(error instanceof HistoryNotAvailableError)) throw error
    return await send({ ...rest, archival: true })
  }
}

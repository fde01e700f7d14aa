import type { Task } from '../inbox/inbox-tasks.js'
import { errorFacts } from '../../shared/error-facts.js'
import type { WorkOptions } from './due-work.js'
import { factsOf } from './run-task.js'

/** Duration of the lease of a claimed task. */
export const LEASE_MS = 12_000
const RENEW_EVERY_MS = 4000
/** Ends before the lease, so that the run is aborted before another process can claim the task. */
const SAFE_MS = LEASE_MS - 1000

/** A task, and the time of this process when it was requested; its lease began later. */
export interface ClaimedTask {
  task: Task
  claimedAtMs: number
}

/** Renews the lease of a task. `onLost` is called when it is lost, or may be. @returns a function that ends the renewal. */
export function keepLease(
  { inbox, clock, logger }: WorkOptions,
  { task, claimedAtMs }: ClaimedTask,
  onLost: () => void,
): () => void {
  let cancelRenewal = (): void => undefined
  let cancelExpiry = (): void => undefined
  let hasEnded = false
  const end = (): void => {
    hasEnded = true
    cancelRenewal()
    cancelExpiry()
  }
  const lose = (): void => {
    end()
    onLost()
  }
  const extendFrom = (grantedAtMs: number): void => {
    cancelExpiry()
    // The process's clock may be set back in the meantime.
    const leftMs = Math.min(SAFE_MS, grantedAtMs + SAFE_MS - clock.nowMs())
    if (leftMs > 0) cancelExpiry = clock.setTimer(lose, leftMs, { isBackground: true })
    else lose()
  }
  const renewLater = (): void => {
    cancelRenewal = clock.setTimer(() => void renew(), RENEW_EVERY_MS, { isBackground: true })
  }
  const renew = async (): Promise<void> => {
    renewLater()
    const askedAtMs = clock.nowMs()
    const isHeld = await extend({ inbox, logger }, task)
    if (hasEnded || isHeld === undefined) return
    if (isHeld) extendFrom(askedAtMs)
    else lose()
  }
  renewLater()
  extendFrom(claimedAtMs)
  return end
}

/** @returns false when the lease was lost; `undefined` when the inbox failed. */
async function extend(
  { inbox, logger }: Pick<WorkOptions, 'inbox' | 'logger'>,
  task: Task,
): Promise<boolean | undefined> {
  try {
    return await inbox.tasks.extendLease(task, LEASE_MS)
  } catch (error) {
    logger.warn('task lease not renewed', { ...factsOf(task), error: errorFacts(error) })
    return undefined
  }
}

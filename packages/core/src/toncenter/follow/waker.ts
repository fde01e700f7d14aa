import { untilAborted } from '../../shared/abort.js'
import { createPause } from '../../shared/timers.js'
import type { Clock } from '../../shared/clock.js'

/** The events that begin polls. */
export interface EventSelection {
  types: readonly ('transactions' | 'jettons_change' | 'trace')[]
  addresses?: readonly string[] | undefined
  /** Normalized hashes of messages. */
  traces?: readonly string[] | undefined
  minFinality: 'pending' | 'finalized'
}

/** The result of `createStream()`, as far as polls use it. */
export interface EventSource {
  subscribe(
    subscription: EventSelection & { signal?: AbortSignal | undefined },
  ): AsyncIterable<{ type: string }>
}

/** Waits between two polls, which events of a stream shorten. */
export interface Waker {
  /**
   * Waits for the delay, or until an event arrives. The first waits after an event are not longer than `delayMs`, since API
   * v3 may be behind the stream. @throws the signal's reason.
   * @param connectedMs the delay while the stream is connected, milliseconds
   */
  wait(delayMs: number, connectedMs: number): Promise<void>
}

/** Polls after an event until waits are long again. */
const POLLS_AFTER_EVENT = 4

/** Creates a waker that listens until the signal is aborted. */
export function createWaker(
  clock: Clock,
  signal: AbortSignal,
  { stream, ...selection }: EventSelection & { stream: EventSource | undefined },
): Waker {
  let isConnected = false
  let pollsLeft = 0
  let isWoken = false
  const pause = createPause(clock)

  const read = async (): Promise<void> => {
    for await (const { type } of stream?.subscribe({ ...selection, signal }) ?? []) {
      if (type === 'connected') isConnected = true
      if (type === 'disconnected') isConnected = false
      pollsLeft = POLLS_AFTER_EVENT
      isWoken = true
      pause.wake()
    }
    // The stream was closed.
    isConnected = false
    pause.wake()
  }
  // It ends with the signal, which ends the waits, too.
  read().catch(() => undefined)

  return {
    async wait(delayMs, connectedMs) {
      const isLong = isConnected && pollsLeft === 0
      pollsLeft = Math.max(0, pollsLeft - 1)
      if (!isWoken) {
        const slept = pause.sleep(isLong ? connectedMs : delayMs)
        await untilAborted(slept, signal).finally(() => pause.wake())
      }
      signal.throwIfAborted()
      isWoken = false
    },
  }
}

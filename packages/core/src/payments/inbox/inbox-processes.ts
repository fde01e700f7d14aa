import type { HandlerEvent } from './handler-event.js'

/** One process of a Payments. */
export interface Registration {
  name: string
  /** Describes the policy; equal strings mean equal policies. */
  policy: string
  /** Time for which the policy stays pinned after its last registration, milliseconds. */
  policyTtlMs: number
  /** The handlers of this process. */
  handlers: readonly { handler: string; event: HandlerEvent }[]
  /** Time for which a subscription lasts after its last registration, milliseconds. */
  subscriptionTtlMs: number
  /** True while a watcher of this process reads the wallets. @default false */
  isWatching?: boolean | undefined
  /** Asks for the next due time as well, as `nextDueInMs` does, so that an idle process runs one statement. */
  nextDue?: { handlers?: readonly string[] | undefined } | undefined
}

/** The pinned policy of a registered process, and the state of its Payments. */
export interface RegistrationResult {
  /** The pinned policy. */
  policy: string
  /** With `nextDue`: the result of {@link InboxProcesses.nextDueInMs}. */
  nextDueInMs?: number | undefined
  /** True when the database has other Payments, which may be paid by the same wallets. */
  hasOtherNames?: boolean | undefined
  /** True when a process of this name has had a watcher in the last hour. */
  isWatched?: boolean | undefined
}

/** The processes of each Payments: their policy, handlers and clock. */
export interface InboxProcesses {
  /**
   * Registers this process: subscribes its handlers, and pins its policy unless another one is pinned and has been
   * registered within its `policyTtlMs`. Called every few seconds. @returns the pinned policy, and with `nextDue` the result
   * of `nextDueInMs`.
   */
  register(registration: Registration): Promise<RegistrationResult>
  /** Ends a handler's subscription and deletes its open and relayed tasks. @returns false without one. */
  unsubscribe(query: { name: string; handler: string }): Promise<boolean>
  /**
   * Returns the time until the earliest report, or task of these handlers, is due; leased ones included; `undefined` when
   * none exists. Without `handlers`: of all handlers.
   */
  nextDueInMs(query: {
    name: string
    handlers?: readonly string[] | undefined
  }): Promise<number | undefined>
  /**
   * Returns the time of the store's own clock, milliseconds since the Unix epoch. Absent for a store without a clock of its
   * own. Called once a minute: a clock that differs from that of the process is reported.
   */
  nowMs?(): Promise<number>
}

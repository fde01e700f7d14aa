import type { Inbox } from '@tonplug/core'

/** An inbox under test. It starts empty. */
export interface InboxHarness {
  inbox: Inbox
  /**
   * Moves the clock of the store forward; moving every stored time back by `ms` has the same effect. Time may also pass by
   * itself.
   */
  advance: (ms: number) => Promise<void> | void
  /** Called after each test. */
  close?: (() => Promise<void>) | undefined
}

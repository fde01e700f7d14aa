/** Stores the progress of a watcher, so that a restart does not scan everything again, and decides which server scans. */
export interface CursorStore {
  load(): Promise<string | null | undefined>
  /**
   * Stores any string. Stores nothing while another server holds the lease, or when it has acquired the lease that this
   * server held.
   */
  save(text: string): Promise<void>
  /**
   * Acquires or renews the lease of this server, so that one server at a time scans. The holder renews it every three seconds.
   * @param leaseMs the lease expires after this time, by the clock of the store
   * @returns false when another server holds it.
   */
  acquire(leaseMs: number): Promise<boolean>
  /** Ends this server's lease, so that another server can scan at once. Does nothing when another server holds it. */
  release(): Promise<void>
}

/** Creates a cursor for one process. It is lost when the process ends. */
export function memoryCursor(): CursorStore {
  let text: string | undefined
  return {
    load: async () => text,
    save: async (given) => {
      text = given
    },
    acquire: async () => true,
    release: async () => undefined,
  }
}

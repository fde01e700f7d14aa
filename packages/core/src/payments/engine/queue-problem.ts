import type { CheckedInbox } from '../inbox/checked-inbox.js'
import type { TaskQueue } from '../inbox/task-queue.js'
import { toQueued } from './due-relays.js'

/** The oldest tasks that the engine is asked about. */
const CHECKED_TASKS = 20

/** The parts that hand tasks over and run them. */
export interface QueueSources {
  name: string
  inbox: CheckedInbox
  queue: TaskQueue
  /** Returns the handlers of this process. */
  handlers: () => readonly string[]
  relay: { isRefused(): boolean }
  jobs: { unconnected(): readonly string[] }
}

/** Returns why the queue engine does not run the tasks, without its own message, which may contain an address. */
export async function findQueueProblem({
  name,
  inbox,
  queue,
  handlers,
  relay,
  jobs,
}: QueueSources): Promise<string | undefined> {
  if (relay.isRefused()) return `${queue.name} has refused the last tasks; the log has its error`
  const [unconnected] = jobs.unconnected()
  if (unconnected !== undefined) {
    return `${queue.name} has not been reached, so this process does not run ${unconnected}; the log has its error`
  }
  if (queue.check === undefined) return undefined
  try {
    const relayed = await inbox.tasks.listRelayed({ name, limit: CHECKED_TASKS })
    const tasks = relayed.map((task) => toQueued(name, task))
    return await queue.check({ name, handlers: handlers(), tasks })
  } catch {
    return `${queue.name} cannot be reached`
  }
}

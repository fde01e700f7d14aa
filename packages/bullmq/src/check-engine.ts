import type { QueuedTask, TaskQueue } from '@tonplug/core'
import type { TaskAdder } from './task-adder.js'

type CheckQuery = Parameters<NonNullable<TaskQueue['check']>>[0]

/** Returns why Redis or BullMQ does not run the tasks; `undefined` without a problem. Rejects when Redis does not respond. */
export async function checkEngine(
  { name, handlers, tasks }: CheckQuery,
  adderOf: (task: Pick<QueuedTask, 'name' | 'handler'>) => TaskAdder,
): Promise<string | undefined> {
  const used = new Set([...handlers, ...tasks.map(({ handler }) => handler)])
  for (const [index, handler] of [...used].entries()) {
    const adder = adderOf({ name, handler })
    const found =
      (index === 0 ? serverProblem(await adder.serverInfo()) : undefined) ??
      (await adder.queueProblem()) ??
      (await adder.lostProblem(tasks.filter((task) => task.handler === handler)))
    if (found !== undefined) return found
  }
  return undefined
}

/** @param info the response to the command INFO */
function serverProblem(info: string): string | undefined {
  const facts = new Map(info.split(/\r?\n/).map((line) => line.split(':', 2) as [string, string]))
  const policy = facts.get('maxmemory_policy') ?? 'noeviction'
  if (policy !== 'noeviction') {
    return `Redis may delete jobs: its maxmemory-policy is ${policy}. Set it to noeviction`
  }
  const role = facts.get('role') ?? 'master'
  if (role === 'slave') return 'Redis is a read-only replica. Connect to the primary server'
  return undefined
}

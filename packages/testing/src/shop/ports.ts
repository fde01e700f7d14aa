import type { EventOf } from './events.js'
import type { Random } from './random.js'
import type { Scheduler } from './scheduler.js'

const STALL_MS = 20_000
/** Calls that change nothing, or that idle processes repeat. */
const IDLE =
  /\/|\.(?:find\w*|list\w*|load|save|acquire|register|nextDueInMs|stats)$|(?:reports|tasks)\.claim$/
const SLOW_CALLS = 0.03
const SLOW_MS = 400

/** A process of the shop, or the tools of its operators. */
export interface Caller {
  name: string
  /** The number of the process in events; -1 for the tools of operators. */
  process: number
  isAlive: boolean
  /** Ends the process: none of its calls is answered, and none of its timers fires. */
  kill(): void
}

interface Call<T> {
  work: () => T | Promise<T>
  resolve: (result: T) => void
  reject: (error: unknown) => void
}

/** Calls of ports by processes: each one is delayed, and each may fail. */
export class Ports {
  readonly #scheduler: Scheduler
  readonly #random: Random
  readonly #faults: EventOf<'fault'>[] = []

  constructor(scheduler: Scheduler, random: Random) {
    this.#scheduler = scheduler
    this.#random = random
  }

  /** Lets the next call of a port fail. */
  add(fault: EventOf<'fault'>): void {
    this.#faults.push(fault)
  }

  /** Removes the faults that no call has met. */
  clear(): void {
    this.#faults.length = 0
  }

  /** Calls a port: its work is done in a step of its own, and so is what follows from the result. */
  call<T>(caller: Caller, port: string, work: () => T | Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => this.#begin(caller, port, { work, resolve, reject }))
  }

  #begin<T>(caller: Caller, port: string, { work, resolve, reject }: Call<T>): void {
    if (!caller.isAlive) return
    const moment = this.#take(caller, port)
    const scheduler = this.#scheduler
    const isIdle = moment === undefined && IDLE.test(port)
    const note = (text: string): void => scheduler.note(`${caller.name} ${port}${text}`)
    const end = (finish: () => void): void => {
      scheduler.after(
        this.#latencyMs(3),
        () => {
          if (caller.isAlive) finish()
        },
        true,
      )
    }
    const lost = (): void => end(() => reject(new Error(`${port}: connection lost`)))
    scheduler.after(
      this.#latencyMs(8) + (moment === 'stall' ? STALL_MS : 0),
      async () => {
        if (!caller.isAlive) return
        if (moment !== undefined) note(` ${moment}`)
        if (moment === 'before') return lost()
        if (moment === 'kill-before') return caller.kill()
        try {
          const result = await work()
          note('')
          if (!isIdle) scheduler.touch()
          if (moment === 'kill-after') caller.kill()
          else if (moment === 'after') lost()
          else end(() => resolve(result))
        } catch (error) {
          note(' failed')
          end(() => reject(error))
        }
      },
      true,
    )
  }

  /** Returns a store whose methods are ports. Groups of methods are ports, too. */
  wrap<Store extends object>(caller: Caller, name: string, store: Store): Store {
    const wrapped: Record<string, unknown> = {}
    for (const [key, member] of membersOf(store)) {
      const port = `${name}.${key}`
      if (typeof member === 'function') {
        wrapped[key] = (...given: unknown[]) =>
          this.call<unknown>(caller, port, () => Reflect.apply(member, store, given))
      } else if (typeof member === 'object' && member !== null) {
        wrapped[key] = this.wrap(caller, port, member)
      } else wrapped[key] = member
    }
    // The methods of the store are replaced by methods of the same types.
    return wrapped as Store
  }

  #take({ process }: Caller, port: string): EventOf<'fault'>['moment'] | undefined {
    const place = this.#faults.findIndex((one) => one.process === process && one.port === port)
    return place < 0 ? undefined : this.#faults.splice(place, 1)[0]?.moment
  }

  #latencyMs(usualMs: number): number {
    const isSlow = this.#random.chance(SLOW_CALLS)
    return this.#random.between(0, isSlow ? SLOW_MS : usualMs)
  }
}

/** Returns the members of an object and of its classes. */
function membersOf(object: object): [string, unknown][] {
  const names = new Set<string>()
  for (let one = object; one !== Object.prototype && one !== null;) {
    for (const name of Object.getOwnPropertyNames(one)) names.add(name)
    one = Object.getPrototypeOf(one) as object
  }
  names.delete('constructor')
  return [...names].map((name) => [name, Reflect.get(object, name)])
}

/** Returns a copy whose methods are called on the original object. */
export function bindMethods<T extends object>(object: T): T {
  const bound = membersOf(object).map(([name, member]) => [
    name,
    typeof member === 'function' ? member.bind(object) : member,
  ])
  return Object.fromEntries(bound) as T
}

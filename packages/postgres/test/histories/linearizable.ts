/** A call of a store, with what it answered. */
export interface Call<Input, Output> {
  input: Input
  /** `undefined` when the connection was lost: the call may have had an effect, at any time later. */
  output: Output | undefined
  /** Positions in one sequence of all starts and ends. The end of a lost call is `Infinity`. */
  start: number
  end: number
}

/** The promise of one object, for example an order, about calls that are not concurrent. */
export interface Model<State, Input, Output> {
  initial: State
  apply: (state: State, input: Input) => { state: State; output: Output }
}

/**
 * Returns true when some sequence of the calls explains every answer: each call takes effect once between its start and its
 * end, as the model says. Searches as Wing and Gong did, and remembers where it has been. States are compared as JSON.
 */
export function isLinearizable<State, Input, Output>(
  calls: readonly Call<Input, Output>[],
  { initial, apply }: Model<State, Input, Output>,
): boolean {
  const failed = new Set<string>()

  function canFinish(state: State, open: readonly number[]): boolean {
    const answered = open.filter((index) => calls[index]?.output !== undefined)
    if (answered.length === 0) return true
    const key = JSON.stringify([state, open])
    if (failed.has(key)) return false
    const firstEnd = Math.min(...answered.map((index) => calls[index]?.end ?? 0))
    for (const index of open) {
      const call = calls[index]
      if (call === undefined || call.start > firstEnd) continue
      const next = apply(state, call.input)
      if (call.output !== undefined && call.output !== next.output) continue
      const others = open.filter((other) => other !== index)
      if (canFinish(next.state, others)) return true
    }
    failed.add(key)
    return false
  }

  return canFinish(initial, [...calls.keys()])
}

import type { Issue } from './issue.js'

/** Tells what is wrong with a parameter, and where inside of it. */
export type Refuse = (issue: Issue) => undefined

/** What one parameter may be. */
export interface Param<Output = unknown, Input = never> {
  /** What it must be, as the end of "must be …". */
  readonly expected: string
  /** Of a list: what each of its items may be, and whether one alone will do. */
  readonly list?: { readonly item: Param; readonly takesOne: boolean }
  /** Of a text that is one of a few: those. */
  readonly known?: readonly string[]
  /** Reads what a caller passed into what goes on the wire; refuses it at least once when it answers `undefined`. */
  read(value: Input, refuse: Refuse): Output | undefined
}

/** A parameter that may be left out. */
export interface OptionalParam<Output = unknown, Input = never> extends Param<Output, Input> {
  readonly isOptional: true
  /** What goes on the wire then; nothing by default. */
  readonly whenLeftOut?: Output
}

/** What a caller passes for a parameter. */
export type ParamInput<P extends Param> = P extends Param<unknown, infer Input> ? Input : never

/**
 * Makes a word of the vocabulary for parameters.
 * @param expected what the value must be, as the end of "must be …"
 * @param read answers `undefined` for a value that is not what the word stands for
 */
export function paramWord<Output, Input>(
  expected: string,
  read: (value: Input) => Output | undefined,
): Param<Output, Input> {
  return {
    expected,
    read(value, refuse) {
      const output = read(value)
      if (output === undefined) refuse({ path: [], expected })
      return output
    },
  }
}

/** A parameter that may be left out. */
export function optionalParam<Output, Input>(
  param: Param<Output, Input>,
): OptionalParam<Output, Input> {
  return { ...param, isOptional: true }
}

/** A parameter that may be left out, and then goes with a value of its own. */
export function defaultParam<Output, Input>(
  param: Param<Output, Input>,
  whenLeftOut: Output,
): OptionalParam<Output, Input> {
  return { ...param, isOptional: true, whenLeftOut }
}

/** Whether a parameter may be left out. */
export function isOptional(param: Param): param is OptionalParam {
  return 'isOptional' in param
}

/** One or more of a parameter. */
export function listParam<Output, Input>(
  item: Param<Output, Input>,
): Param<Output[], readonly Input[]> {
  return {
    expected: `one or more, each ${item.expected}`,
    list: { item, takesOne: false },
    read(values: unknown, refuse) {
      if (!Array.isArray(values)) return refuse({ path: [], expected: 'an array' })
      if (values.length === 0) return refuse({ path: [], expected: 'a list of at least one' })
      return readItems(values, item, refuse)
    },
  }
}

/** Reads every item of a list. */
export function readItems<Output, Input>(
  values: readonly Input[],
  item: Param<Output, Input>,
  refuse: Refuse,
): Output[] {
  const outputs = values.map((value, index) =>
    item.read(value, ({ path, expected }) => refuse({ path: [index, ...path], expected })),
  )
  // Where an item was refused, nobody looks at what is there.
  return outputs as Output[]
}

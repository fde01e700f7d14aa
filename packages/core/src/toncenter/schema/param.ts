import type { Issue } from './mismatch.js'

/** Reports an invalid parameter and the invalid place inside it. */
export type Refuse = (issue: Issue) => undefined

export interface Param<Output = unknown, Input = never> {
  /** The expected value, as the end of "must be …". */
  readonly expected: string
  /** The items of a list. `takesOne` allows a single value instead of a list. */
  readonly list?: { readonly item: Param; readonly takesOne: boolean }
  /** The strings of an enumeration. */
  readonly known?: readonly string[]
  /** Converts the caller's value to the value to send. Calls `refuse` at least once if it returns `undefined`. */
  read(value: Input, refuse: Refuse): Output | undefined
}

export interface OptionalParam<Output = unknown, Input = never> extends Param<Output, Input> {
  readonly isOptional: true
  /** The value to send if the parameter is left out. @default nothing */
  readonly whenLeftOut?: Output
}

export type ParamInput<P extends Param> = P extends Param<unknown, infer Input> ? Input : never

/**
 * Creates a parameter.
 * @param expected the expected value, as the end of "must be …"
 * @param read returns `undefined` for an invalid value
 */
export function createParam<Output, Input>(
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

export function enumParam<const Known extends string>(
  ...known: readonly Known[]
): Param<Known, Known> {
  const param = createParam<Known, Known>(`one of ${known.join(', ')}`, (value) =>
    known.includes(value) ? value : undefined,
  )
  return { ...param, known }
}

export function optionalParam<Output, Input>(
  param: Param<Output, Input>,
): OptionalParam<Output, Input> {
  return { ...param, isOptional: true }
}

/** Makes a parameter optional, with a value that is sent if it is left out. */
export function defaultParam<Output, Input>(
  param: Param<Output, Input>,
  whenLeftOut: Output,
): OptionalParam<Output, Input> {
  return { ...param, isOptional: true, whenLeftOut }
}

export function isOptional(param: Param): param is OptionalParam {
  return 'isOptional' in param
}

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

export function readItems<Output, Input>(
  values: readonly Input[],
  item: Param<Output, Input>,
  refuse: Refuse,
): Output[] {
  const outputs = values.map((value, index) =>
    item.read(value, ({ path, expected }) => refuse({ path: [index, ...path], expected })),
  )
  // If an item was refused, the result is not used.
  return outputs as Output[]
}

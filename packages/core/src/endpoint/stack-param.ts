import type { Param } from '../schema/param.js'
import type { Conversion } from './stack.js'

/** A parameter for the arguments of a get-method, whose issue points into them. */
export function stackParam<Entry, Argument>(
  encode: (stack: unknown) => Conversion<Entry>,
): Param<Entry[], readonly Argument[]> {
  return {
    expected: 'an array',
    read(stack, refuse) {
      const conversion = encode(stack)
      return conversion.isConverted ? conversion.entries : refuse(conversion)
    },
  }
}

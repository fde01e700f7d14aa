import * as z from 'zod/mini'
import { withParts } from './parts.js'

/** What checks the parameters of an endpoint and writes them as they go on the wire. */
export type ParamsSchema<Shape extends z.core.$ZodShape = z.core.$ZodShape> = z.ZodMiniObject<
  Shape,
  z.core.$strict
>

/** A rule about several parameters. */
export interface ParamsRule {
  /** What must hold, as a whole sentence without its end. */
  text: string
  isKept(isGiven: (name: string) => boolean): boolean
}

/** The parameters of an endpoint. A name that is not among them is refused. */
export function paramsObject<Shape extends z.core.$ZodShape>(
  shape: Shape,
  ...rules: readonly ParamsRule[]
): ParamsSchema<Shape> {
  const object = z.strictObject(shape)
  const checks = rules.map((rule) =>
    z.check<z.output<typeof object>>((payload) => {
      const given: Readonly<Record<string, unknown>> = payload.value
      if (rule.isKept((name) => given[name] !== undefined)) return
      payload.issues.push({ code: 'custom', message: rule.text, input: payload.value })
    }),
  )
  // zod writes the shape as a mapped type over itself, which is the shape.
  const params = object.check(...checks) as unknown as ParamsSchema<Shape>
  return withParts(params, { rules: rules.map(({ text }) => text) })
}

/** Either all of the names or none. */
export function together(...names: readonly string[]): ParamsRule {
  return {
    text: `${names.join(' and ')} must be passed together`,
    isKept: (isGiven) => new Set(names.map(isGiven)).size === 1,
  }
}

/** One of the names, and only one. */
export function exactlyOne(...names: readonly string[]): ParamsRule {
  return {
    text: `exactly one of ${names.join(', ')} must be passed`,
    isKept: (isGiven) => names.filter(isGiven).length === 1,
  }
}

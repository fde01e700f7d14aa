import * as z from 'zod/mini'
import { firstIssue } from './issue.js'
import { withParts } from './parts.js'

/** A node with its children, down to the leaves. */
export type Tree<Node, Key extends string> = Node & Record<Key, TreeList<Node, Key>>

// An interface, since a type cannot hold itself in a Record.
interface TreeList<Node, Key extends string> extends Array<Tree<Node, Key>> {}

/** One node that is still to read. */
interface Step {
  value: unknown
  /** The list that the node goes to, at its end. */
  into: unknown[]
  /** Its place among its parent's children. */
  index: number
  above: Step | undefined
}

/**
 * An object with a list of objects like itself under `key`. Leaves may have null there, or nothing; they read as an
 * empty list. Trees of any depth are read, since a chain of messages may be thousands of nodes deep.
 * @param node the object without that list
 */
export function treeField<Node extends z.ZodMiniType<object>, const Key extends string>(
  key: Key,
  node: Node,
): z.ZodMiniTransform<Tree<z.output<Node>, Key>> {
  const schema = z.transform((root: unknown, context): unknown => {
    const roots: unknown[] = []
    const steps: Step[] = [{ value: root, into: roots, index: 0, above: undefined }]
    for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
      const issue = readNode(step, key, node, steps)
      if (issue === undefined) continue
      const path = [...pathOf(step, key), ...issue.path]
      context.issues.push({ code: 'custom', path, message: issue.expected, input: root })
      return z.NEVER
    }
    return roots[0]
  })
  // Every node went through the node's schema, and got the list of its children.
  const tree = schema as unknown as z.ZodMiniTransform<Tree<z.output<Node>, Key>>
  return withParts(tree, { tree: { key, node } })
}

/** Reads one node, and leaves its children in `steps`. */
function readNode(step: Step, key: string, node: z.ZodMiniType<object>, steps: Step[]) {
  const result = node.safeParse(step.value)
  if (!result.success) return firstIssue(result.error)
  // What the node does not describe is kept as it came.
  const inner = (result.data as Readonly<Record<string, unknown>>)[key] ?? []
  if (!Array.isArray(inner)) return { path: [key], expected: 'an array' }
  const children: unknown[] = []
  // The first child is read first: `steps` gives out what came last.
  for (let index = inner.length - 1; index >= 0; index--) {
    steps.push({ value: inner[index], into: children, index, above: step })
  }
  step.into.push({ ...result.data, [key]: children })
  return undefined
}

function pathOf(step: Step, key: string): PropertyKey[] {
  const path: PropertyKey[] = []
  for (let at: Step = step; at.above !== undefined; at = at.above) path.push(at.index, key)
  return path.reverse()
}

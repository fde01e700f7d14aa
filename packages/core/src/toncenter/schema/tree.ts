import * as z from 'zod/mini'
import { firstIssue } from './issue.js'
import { withParts } from './parts.js'

/** A node with its children, down to the leaves. */
export type Tree<Node, Key extends string> = Node & Record<Key, TreeList<Node, Key>>

// An interface, since a type alias cannot contain itself in a Record.
interface TreeList<Node, Key extends string> extends Array<Tree<Node, Key>> {}

/** A node that has not been read yet. */
interface Step {
  value: unknown
  /** The list to which the node is appended. */
  into: unknown[]
  /** Its index among its parent's children. */
  index: number
  parent: Step | undefined
}

/**
 * An object with a list of objects of the same kind under `key`. Null and absent read as an empty list. Trees may have any
 * depth, since a chain of messages may be thousands of nodes long.
 * @param node the object without that list
 */
export function tree<Node extends z.ZodMiniType<object>, const Key extends string>(
  key: Key,
  node: Node,
): z.ZodMiniTransform<Tree<z.output<Node>, Key>> {
  const schema = z.transform((root: unknown, context): unknown => {
    const roots: unknown[] = []
    const steps: Step[] = [{ value: root, into: roots, index: 0, parent: undefined }]
    for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
      const issue = readNode(step, key, node, steps)
      if (issue === undefined) continue
      const path = [...pathOf(step, key), ...issue.path]
      context.issues.push({ code: 'custom', path, message: issue.expected, input: root })
      return z.NEVER
    }
    return roots[0]
  })
  // Each node has passed the node's schema and received the list of its children.
  const typed = schema as unknown as z.ZodMiniTransform<Tree<z.output<Node>, Key>>
  return withParts(typed, { tree: { key, node } })
}

/** Reads one node and pushes its children to `steps`. */
function readNode(step: Step, key: string, node: z.ZodMiniType<object>, steps: Step[]) {
  const result = node.safeParse(step.value)
  if (!result.success) return firstIssue(result.error)
  // Undescribed fields are kept as received.
  const inner = (result.data as Readonly<Record<string, unknown>>)[key] ?? []
  if (!Array.isArray(inner)) return { path: [key], expected: 'an array' }
  const children: unknown[] = []
  // The last step is read first, so the first child must be pushed last.
  for (let index = inner.length - 1; index >= 0; index--) {
    steps.push({ value: inner[index], into: children, index, parent: step })
  }
  step.into.push({ ...result.data, [key]: children })
  return undefined
}

function pathOf(step: Step, key: string): PropertyKey[] {
  const path: PropertyKey[] = []
  for (let at: Step = step; at.parent !== undefined; at = at.parent) path.push(at.index, key)
  return path.reverse()
}

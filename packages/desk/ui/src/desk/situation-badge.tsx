import type { Situation } from '../../../src/api.js'
import { Badge } from '../components/badge.js'

/** The name of a state. */
export function SituationBadge({ situation: { tone, name } }: { situation: Situation }) {
  return <Badge tone={tone}>{name}</Badge>
}

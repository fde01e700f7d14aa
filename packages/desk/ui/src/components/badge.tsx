import type { ComponentChildren } from 'preact'
import type { Tone } from '../text/decisions.js'

/** A short state in a color that repeats its words. */
export function Badge({ tone, children }: { tone: Tone; children: ComponentChildren }) {
  return (
    <span class="badge" data-tone={tone}>
      {children}
    </span>
  )
}

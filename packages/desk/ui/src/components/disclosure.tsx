import type { ComponentChildren, Ref } from 'preact'
import { useId, useRef } from 'preact/hooks'

/** Props of {@link Disclosure}. */
export interface DisclosureProps {
  head: ComponentChildren
  isOpen: boolean
  onToggle: () => void
  headRef?: Ref<HTMLButtonElement>
  children: ComponentChildren
}

/** A heading whose button shows or hides its panel. */
export function Disclosure({ head, isOpen, onToggle, headRef, children }: DisclosureProps) {
  const id = useId()
  // A closed panel keeps the state of its fields.
  const wasOpen = useRef(false)
  wasOpen.current ||= isOpen
  return (
    <>
      <h3>
        <button
          type="button"
          class="head"
          ref={headRef ?? null}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={onToggle}
        >
          {head}
        </button>
      </h3>
      <div class="body" id={id} hidden={!isOpen}>
        {wasOpen.current && children}
      </div>
    </>
  )
}

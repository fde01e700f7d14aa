import { useEffect, useState } from 'preact/hooks'
import { copyText } from './copy-text.js'

const SHOWN_MS = 1500

/** Props of {@link CopyButton}. */
export interface CopyButtonProps {
  /** The accessible name, for example `Copy the reference`. */
  name: string
  /** @default 'Copy' */
  label?: string
  text: string
}

/** Copies a string, and confirms it. */
export function CopyButton({ name, label = 'Copy', text }: CopyButtonProps) {
  const [result, setResult] = useState('')
  useEffect(() => {
    if (result === '') return undefined
    const timer = setTimeout(() => setResult(''), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [result])
  const copy = async (): Promise<void> => {
    setResult((await copyText(text)) ? 'Copied' : 'Not copied')
  }
  return (
    <button type="button" class="small" aria-label={name} onClick={() => void copy()}>
      <span aria-live="polite">{result === '' ? label : result}</span>
    </button>
  )
}

import { useState } from 'preact/hooks'
import { ask } from '../requests.js'

/** Sends requests of a form, and keeps the message of a refusal. */
export function useRequest(): {
  problem: string
  isBusy: boolean
  /** Resolves with the response; `undefined` when the request was refused. */
  send: (path: string, body: object) => Promise<unknown>
} {
  const [problem, setProblem] = useState('')
  const [isBusy, setBusy] = useState(false)
  return {
    problem,
    isBusy,
    async send(path, body) {
      setProblem('')
      setBusy(true)
      try {
        return await ask(path, body)
      } catch (error) {
        setProblem(error instanceof Error ? error.message : String(error))
        return undefined
      } finally {
        setBusy(false)
      }
    },
  }
}

import { useCallback, useEffect, useState } from 'preact/hooks'
import { load } from './api-client.js'

/** A response, or the problem of its request. */
export interface Resource<T> {
  data: T | undefined
  problem: string | undefined
  isLoading: boolean
  /** Requests it again, and keeps the data until then. */
  reload: () => void
}

interface Loaded<T> {
  path: string
  data?: T
  problem?: string
}

/**
 * Requests a path when it changes. A response that another request has overtaken is ignored.
 * @param everyMs requests it again after each period.
 */
export function useResource<T>(path: string, everyMs?: number): Resource<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>()
  const [turn, setTurn] = useState(0)
  const [isLoading, setLoading] = useState(true)
  useEffect(() => {
    let isCurrent = true
    const finish = (result: Loaded<T>): void => {
      if (!isCurrent) return
      setLoaded(result)
      setLoading(false)
    }
    setLoading(true)
    load<T>(path).then(
      (data) => finish({ path, data }),
      (error: unknown) =>
        finish({ path, problem: error instanceof Error ? error.message : String(error) }),
    )
    return () => void (isCurrent = false)
  }, [path, turn])
  const reload = useCallback(() => setTurn((count) => count + 1), [])
  useEffect(() => {
    if (everyMs === undefined) return undefined
    const timer = setInterval(reload, everyMs)
    return () => clearInterval(timer)
  }, [everyMs, reload])
  const current = loaded?.path === path ? loaded : undefined
  return { data: current?.data, problem: current?.problem, isLoading, reload }
}

import { describeSettingMistake } from '@tonplug/core'
import type { DoctorSettings } from './settings.js'
import type { TonCenterReply } from './ton-center.js'
import type { WebhookReplies } from './webhook-probe.js'

/** The result of a check. `fix` states what to do about anything but `ok`. */
export type Finding =
  { status: 'ok'; found: string } | { status: 'warn' | 'fail'; found: string; fix: string }

/** One check. It returns `undefined` when it does not apply to the settings. */
export interface Check {
  name: string
  run: (subject: Subject) => Finding | undefined | Promise<Finding | undefined>
}

/** The settings, and requests that several checks share. Each request is made at most once. */
export interface Subject extends DoctorSettings {
  webhook: () => Promise<WebhookReplies>
  tonCenter: () => Promise<TonCenterReply>
}

export const ok = (found: string): Finding => ({ status: 'ok', found })
export const warn = (found: string, fix: string): Finding => ({ status: 'warn', found, fix })
export const fail = (found: string, fix: string): Finding => ({ status: 'fail', found, fix })

/** Returns a failure for a setting that can only be a mistake. @param name of its variable */
export function failMistake(
  name: string,
  value: string,
  options?: { isLocation: boolean },
): Finding | undefined {
  const mistake = describeSettingMistake(value, options)
  if (mistake === undefined) return undefined
  const [found = '', ...advice] = mistake.split('. ')
  return fail(`${name} ${found}`, `${advice.join('. ')}.`)
}

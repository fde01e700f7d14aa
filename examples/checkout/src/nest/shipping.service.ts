import { Inject, Injectable } from '@nestjs/common'
import type { PaidTransfer } from '@tonplug/core'
import { OnPaid } from '@tonplug/nestjs'
import type { ShopSettings } from '../shop.js'
import { SETTINGS } from './tokens.js'

/** Ships paid orders. */
@Injectable()
export class ShippingService {
  constructor(@Inject(SETTINGS) private readonly settings: ShopSettings) {}

  @OnPaid()
  ship(paid: PaidTransfer): void {
    this.settings.terms.onPaid(paid)
  }
}

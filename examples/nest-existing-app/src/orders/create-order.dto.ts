import { IsIn, IsInt, Max, Min } from 'class-validator'

/** Prices per item, in nanotons. */
export const PRICES: Readonly<Record<string, bigint>> = {
  poster: 3_000_000_000n,
  tote: 5_250_000_000n,
}

export class CreateOrderDto {
  @IsIn(Object.keys(PRICES))
  sku!: string

  @IsInt()
  @Min(1)
  @Max(20)
  quantity!: number
}

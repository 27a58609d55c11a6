package io.weir.internal.rules.quotas;

import java.util.OptionalLong;

/**
 * Holds the ledger of one period of a user.
 *
 * @param rollover permits that came over from the period before; empty while unknown
 * @param used permits that nodes have written
 * @param isClosed whether grants and the rollover into the next period have been calculated
 */
public record LedgerRow(BillingPeriod period, OptionalLong rollover, long used, boolean isClosed) {}

package io.weir.internal.rules.quotas;

import java.util.OptionalLong;

/**
 * What the ledger has of one period of a user.
 *
 * @param period the period
 * @param rollover what came over from the period before; nothing while that isn't known
 * @param used permits that nodes have written
 * @param isClosed whether grants and the next period's rollover were made of it
 */
public record LedgerRow(BillingPeriod period, OptionalLong rollover, long used, boolean isClosed) {}

/**
 * Quotas: billing periods, rollover, grants, and the ledger of used permits. Classes without
 * database and clock calculate the result of a period.
 */
@NullMarked
package io.weir.internal.rules.quotas;

import org.jspecify.annotations.NullMarked;

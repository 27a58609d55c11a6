/**
 * Quotas: billing periods, what rolls over, grants, and the ledger of what was used. What a period
 * comes to is worked out by classes that know neither database nor clock.
 */
@NullMarked
package io.weir.internal.rules.quotas;

import org.jspecify.annotations.NullMarked;

/** Quotas by billing period: what users have left, and grants beyond it. */
@NullMarked
package io.weir.rules.quota;

import org.jspecify.annotations.NullMarked;
